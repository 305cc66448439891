import type { SmtpReply } from '../facts/smtp-reply.ts'
import { phrases } from '../rules/phrases.ts'
import type { CodeTable, Verdict } from '../rules/verdict.ts'

/** nodemailer's `code`, for errors without a reply of the server. */
export const nodemailerCodes: CodeTable = [
  [{ type: 'authentication_error' }, 'EAUTH ENOAUTH EOAUTH2'],
  [{ type: 'not_found', resolver: 'user' }, 'EDNS'],
  [{ type: 'unavailable' }, 'ECONNECTION ESOCKET EPROTOCOL EPROXY'],
  [{ type: 'not_configured' }, 'ECONFIG'],
  [{ type: 'execution_error' }, 'ETLS EREQUIRETLS ESTREAM'],
  [{ as: 400 }, 'EENVELOPE EMESSAGE EFILEACCESS EURLACCESS EMAXLIMIT'],
]

interface SmtpRule {
  words?: RegExp
  /** Enhanced codes without their class: `1.1` stands for 4.1.1 and 5.1.1; `7` for every code of that subject. */
  enhanced?: readonly string[]
  /** Reply codes, where neither a word nor an enhanced code says more. */
  codes?: readonly number[]
  /** Verdict of a temporary (4yz) and of a final (5yz) reply. */
  temporary: Verdict
  final: Verdict
}

const notNow: Verdict = { type: 'unavailable' }
const tooFast: Verdict = { type: 'rate_limit_exceeded' }
const refused: Verdict = { type: 'permission_denied' }
const badMessage: Verdict = { type: 'invalid_value' }
const mailbox = '(?:user|recipient|mailbox|account|address|addressee|alias|inbox|member)s?'

/**
 * RFC 3463 and 5321, and the words of the large providers, which reuse codes freely: a word says more than an enhanced
 * code, and that more than a reply code. The first rule that fits holds.
 */
const rules: readonly SmtpRule[] = [
  {
    words: phrases('starttls'),
    temporary: { type: 'not_configured' },
    final: { type: 'not_configured' },
  },
  {
    words: phrases(
      'sending (?:limit|quota)',
      '(?:daily|hourly|monthly) (?:\\w+ ){0,3}(?:limit|quota)',
      '(?:limit|quota) (?:on the number )?of ~(?:messages|recipients)',
      '(?:message|submission|recipient rate) (?:limit|quota)',
      'outbound ~limit',
      'too many ~per (?:day|month)',
    ),
    temporary: tooFast,
    final: { type: 'quota_exceeded' },
  },
  {
    words: phrases(
      'authentication ~(?:required|failed|unsuccessful|invalid|rejected)',
      'authenticate first',
      'username and password not accepted',
      'application-specific password',
      '(?:bad|invalid|incorrect) (?:credentials|login|password|username|user name)',
      'log ?in (?:denied|failed)',
      'please log in',
      'client was not authenticated',
      'smtpclientauthentication is disabled',
    ),
    enhanced: ['7.8', '7.9', '7.11', '7.57', '7.139'],
    codes: [530, 534, 535, 538],
    temporary: notNow,
    final: { type: 'authentication_error' },
  },
  {
    words: phrases(
      `${mailbox}~(?:full|over ?quota|out of storage)`,
      'over ?quota',
      'quota (?:exceeded|is full|violation)',
      'exceeded storage',
      'out of storage',
      'mailbox (?:size )?limit',
    ),
    enhanced: ['2.2'],
    codes: [552],
    temporary: { type: 'quota_exceeded', resolver: 'time', of: 'mailbox' },
    final: { type: 'quota_exceeded', of: 'mailbox' },
  },
  {
    words: phrases(
      '(?:message|mail|attachment|size)~(?:too (?:large|big)|exceed(?:s|ed)? ~(?:size|limits?|maximum)|size limit)',
      'message size',
    ),
    enhanced: ['3.4', '2.3'],
    temporary: badMessage,
    final: badMessage,
  },
  {
    words: phrases(
      'virus|malware',
      '(?:attachment|content|file type|executable)s?~(?:blocked|not allowed|rejected|prohibited|unsafe|forbidden|security)',
      '(?:illegal|prohibited|blocked|dangerous|unsafe) (?:attachment|content|file)s?',
      'bare (?:LF|CR)',
      '(?:missing|invalid|multiple|duplicate) ~headers?',
      'headers?~not ~(?:compliant|valid)',
      'RFC ?\\d{4}~(?:compliant|violation|headers?)',
    ),
    enhanced: ['6'],
    temporary: badMessage,
    final: badMessage,
  },
  {
    words: phrases(
      'bad sequence',
      '(?:command|feature)~not (?:implemented|recognized|supported)',
      'unrecogni[sz]ed commands?',
    ),
    enhanced: ['5.1'],
    codes: [500, 502, 503],
    temporary: notNow,
    final: { type: 'execution_error' },
  },
  {
    words: phrases('timeout', 'timed out'),
    temporary: { type: 'timeout' },
    final: notNow,
  },
  {
    words: phrases(
      'throttl\\w+',
      'rate',
      'rate limit\\w*',
      'too (?:many|fast|much|quickly|often)(?! recipients)',
      'excessive',
      'volume',
      'slow down',
      'unusual',
      'concurrent',
      'exceeded ~(?:limit|maximum|rate)',
      'limits? (?:exceeded|reached)',
      'frequency',
      'complaints',
      '(?:connection|message)s? (?:limit|count)',
      'temporarily (?:blocked|limited)',
    ),
    enhanced: ['7.28'],
    temporary: tooFast,
    final: tooFast,
  },
  {
    words: phrases('loop', 'too many hops'),
    enhanced: ['4.6'],
    temporary: { type: 'execution_error' },
    final: { type: 'execution_error' },
  },
  {
    words: phrases(
      'relay(?:ing)?~(?:denied|disallowed|prohibited|not (?:allowed|permitted))',
      'as a relay',
      'spam\\w*|unsolicited|spoof\\w*|reputation|DMARC|SPF|DKIM',
      'black ?list\\w*|block ?list\\w*|RBL|DNSBL',
      '(?<!not )listed (?:in|on|at|by)',
      '\\w*policy|policies',
      'banned',
    ),
    temporary: notNow,
    final: refused,
  },
  {
    words: phrases(
      'sender (?:address )?(?:rejected|invalid|unknown|denied|verify failed)',
      '(?:invalid|unknown|bad) sender',
      'not owned by ~user',
      'send as',
      'sender domain',
      'domain of sender',
    ),
    enhanced: ['1.8', '1.7'],
    temporary: notNow,
    final: refused,
  },
  {
    words: phrases('too many recipients'),
    enhanced: ['5.3'],
    temporary: tooFast,
    final: badMessage,
  },
  {
    words: phrases(
      'syntax',
      'malformed',
      'bad (?:address|recipient|destination)',
      'not a valid (?:RFC\\S*|address)',
      'invalid (?:address|domain)',
      'missing ~domain',
    ),
    enhanced: ['1.3', '5.2', '5.4'],
    codes: [501, 504, 553],
    temporary: badMessage,
    final: badMessage,
  },
  {
    words: phrases(
      `${mailbox}~(?:unknown|not found|not exist|unavailable|disabled|inactive|invalid|suspended|deactivated|deleted|closed|not available|rejected|not listed|undeliverable)`,
      `(?:unknown|invalid|no such|nonexistent|inactive) (?:${mailbox}|local part)`,
      "does(?: not|n['’]t) (?:have|like)~(?:account|recipient)",
      `${mailbox}~does(?: not|n['’]t) exist`,
      'no longer (?:valid|available|active|in use|exists?|accepts?)',
      'no (?:mailbox|such|valid recipients?)',
      '(?:domain|host)~(?:not found|does not exist|unknown)',
      'unrout(?:e)?able',
      'no mx',
      'not our customer',
    ),
    enhanced: ['1', '2.1', '4.4'],
    codes: [551],
    temporary: notNow,
    final: { type: 'not_found' },
  },
]

/**
 * What a reply of a mail server means. 4yz may pass, 5yz will not: a refusal that is about nothing else is one of
 * policy (spam, reputation, relaying). Each of them proves that nothing was sent.
 */
export function verdictOfReply({ code, enhanced = '', text, command }: SmtpReply): Verdict {
  const isTemporary = code < 500
  if (command?.startsWith('AUTH') && code !== 421)
    return isTemporary ? notNow : { type: 'authentication_error' }
  const rule =
    ruleOfWords(text) ??
    ruleOfSignIn(code) ??
    ruleOfEnhancedCode(enhanced.slice(2)) ??
    ruleOfCode(code, enhanced)
  if (rule) return isTemporary ? rule.temporary : rule.final
  return isTemporary ? notNow : refused
}

/** What Postfix and Exchange write in front of every reason that they have: `Recipient address rejected: Access denied`. */
const beforeReason = /\brecipient address(?:es)? rejected ?: (?=\S)/gi

function ruleOfWords(text: string): SmtpRule | undefined {
  const reason = text.replace(beforeReason, '')
  return rules.find((one) => one.words?.test(reason))
}

/** 530 to 538 speak of AUTH alone (RFC 4954). */
function ruleOfSignIn(code: number): SmtpRule | undefined {
  return code >= 530 && code <= 538 ? rules.find((one) => one.codes?.includes(code)) : undefined
}

/** The detail says more than its subject. */
function ruleOfEnhancedCode(detail: string): SmtpRule | undefined {
  const [subject = ''] = detail.split('.')
  return (
    rules.find((one) => one.enhanced?.includes(detail)) ??
    rules.find((one) => one.enhanced?.includes(subject))
  )
}

/** A server that writes enhanced codes says more with them than with the reply code, unless it is `5.0.0` or `5.5.0`. */
function ruleOfCode(code: number, enhanced: string): SmtpRule | undefined {
  const saysMore = enhanced !== '' && !/\.[05]\.0$/.test(enhanced)
  return saysMore ? undefined : rules.find((one) => one.codes?.includes(code))
}
