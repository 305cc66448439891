import { phrases } from '../phrases.ts'
import type { SmtpReply } from '../smtp-reply.ts'
import type { CodeTable, Verdict } from '../verdict.ts'

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
  /** Enhanced codes without their class: `1.1` stands for 4.1.1 and 5.1.1. */
  enhanced?: readonly string[]
  /** Reply codes, where neither an enhanced code nor a word says more. */
  codes?: readonly number[]
  words?: RegExp
  /** Verdict of a temporary (4yz) and of a final (5yz) reply. */
  temporary: Verdict
  final: Verdict
}

const notNow: Verdict = { type: 'unavailable' }
const tooFast: Verdict = { type: 'rate_limit_exceeded' }
const refused: Verdict = { type: 'permission_denied' }
const badMessage: Verdict = { type: 'invalid_value' }
const mailbox = '(?:user|recipient|mailbox|account|address|alias|inbox|member)s?'

/** RFC 3463 and 5321, and the words of the large providers, which reuse codes freely. The first that fits holds. */
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
    ),
    temporary: tooFast,
    final: { type: 'quota_exceeded' },
  },
  {
    enhanced: ['7.8', '7.139', '7.57'],
    codes: [530, 534, 535, 538],
    words: phrases(
      'authentication ~(?:required|failed|unsuccessful|invalid|rejected)',
      'authenticate first',
      'username and password not accepted',
      'application-specific password',
      '(?:bad|invalid|incorrect) (?:credentials|login|password|username|user)',
      'log ?in (?:denied|failed)',
      'please log in',
      'client was not authenticated',
      'smtpclientauthentication is disabled',
    ),
    temporary: notNow,
    final: { type: 'authentication_error' },
  },
  {
    enhanced: ['3.4', '2.3'],
    words: phrases(
      '(?:message|mail|attachment|size)~(?:too (?:large|big)|exceed(?:s|ed)? ~(?:size|limits?|maximum)|size limit)',
      'message size',
    ),
    temporary: badMessage,
    final: badMessage,
  },
  {
    enhanced: ['2.2'],
    codes: [552],
    words: phrases(
      `${mailbox}~(?:full|over ?quota|out of storage)`,
      'over ?quota',
      'quota (?:exceeded|is full)',
      'exceeded storage',
      'out of storage',
      'mailbox (?:size )?limit',
    ),
    temporary: { type: 'quota_exceeded', resolver: 'time' },
    final: { type: 'quota_exceeded' },
  },
  {
    words: phrases(
      'virus|malware',
      '(?:attachment|content|file type|executable)s?~(?:blocked|not allowed|rejected|prohibited|unsafe|forbidden|security)',
      'bare (?:LF|CR)',
      '(?:missing|invalid|multiple|duplicate) ~headers?',
      'RFC ?\\d{4}~(?:compliant|violation|headers?)',
    ),
    temporary: badMessage,
    final: badMessage,
  },
  {
    words: phrases('timeout', 'timed out'),
    temporary: { type: 'timeout' },
    final: notNow,
  },
  {
    enhanced: ['7.28'],
    words: phrases(
      'throttl\\w+',
      'rate',
      'rate limit\\w*',
      'too (?:many|fast|much|quickly|often)',
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
    temporary: tooFast,
    final: tooFast,
  },
  {
    enhanced: ['1.8', '1.7'],
    words: phrases(
      'sender (?:address )?(?:rejected|invalid|unknown|denied|verify failed)',
      '(?:invalid|unknown|bad) sender',
      'not owned by ~user',
      'send as',
      'sender domain',
      'domain of sender',
    ),
    temporary: notNow,
    final: refused,
  },
  {
    enhanced: ['1.1', '1.10', '1.2', '1.6', '2.1', '4.4'],
    codes: [551],
    words: phrases(
      `${mailbox}~(?:unknown|not found|not exist|unavailable|disabled|inactive|invalid|suspended|deactivated|deleted|closed|no longer|not available|rejected|not listed|undeliverable)`,
      `(?:unknown|invalid|no such|nonexistent|inactive) (?:${mailbox}|local part)`,
      "does(?: not|n['’]t) (?:have|like)~(?:account|recipient)",
      `${mailbox}~does(?: not|n['’]t) exist`,
      'no (?:mailbox|such|valid recipients?)',
      '(?:domain|host)~(?:not found|does not exist|unknown)',
      'unrout(?:e)?able',
      'no mx',
      'not our customer',
    ),
    temporary: notNow,
    final: { type: 'not_found' },
  },
  {
    enhanced: ['1.3', '5.2', '5.4'],
    codes: [501, 504, 553],
    words: phrases(
      'syntax',
      'malformed',
      'bad (?:address|recipient|destination)',
      'not a valid (?:RFC|address|e-?mail)',
      'invalid (?:address|domain)',
    ),
    temporary: badMessage,
    final: badMessage,
  },
  {
    enhanced: ['5.3'],
    words: phrases('too many recipients'),
    temporary: tooFast,
    final: badMessage,
  },
  {
    enhanced: ['5.1'],
    codes: [500, 502, 503],
    words: phrases(
      'bad sequence',
      '(?:command|feature)~not (?:implemented|recognized|supported)',
      'unrecogni[sz]ed command',
    ),
    temporary: notNow,
    final: { type: 'execution_error' },
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
  const detail = enhanced.slice(2)
  const rule =
    rules.find((one) => one.enhanced?.includes(detail) || one.words?.test(text)) ??
    rules.find((one) => one.codes?.includes(code))
  if (rule) return isTemporary ? rule.temporary : rule.final
  return isTemporary ? notNow : refused
}
