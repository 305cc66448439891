import type { SmtpReply } from '../facts/smtp-reply.ts'
import type { Verdict } from './verdict.ts'

const recipient = '(?:user|recipient|mailbox|account|address|addressee|alias|inbox|member)s?'

/** Enhanced codes are without their class: `1.1` stands for 4.1.1 and 5.1.1, `7` for every code of that subject. */
interface ReplyRule {
  words?: RegExp
  enhanced?: readonly string[]
  codes?: readonly number[]
  means: Verdict
}

const words = (pattern: string) =>
  new RegExp(`(?<![\\w-])(?:${pattern.replaceAll('~', '.{0,40}?')})(?![\\w-])`, 'i')

/**
 * Replies of mail servers (RFC 5321, RFC 3463). Large providers reuse the codes freely, so a word says more than an
 * enhanced code, and that more than a reply code. The first rule that fits holds.
 */
const rules: readonly ReplyRule[] = [
  { words: words('starttls'), means: { type: 'not_configured' } },
  {
    words: words(
      '(?:daily|hourly|monthly|sending) (?:\\w+ ){0,3}(?:limit|quota)|(?:message|submission) (?:limit|quota)',
    ),
    means: { type: 'quota_exceeded' },
  },
  {
    words: words(
      'authentication ~(?:required|unsuccessful|invalid|rejected)|username and password not accepted',
    ),
    enhanced: ['7.8', '7.9', '7.11', '7.57', '7.139'],
    codes: [530, 534, 535, 538],
    means: { type: 'authentication_error' },
  },
  {
    words: words(`${recipient}~(?:full|out of storage)|over ?quota|out of storage|quota exceeded`),
    enhanced: ['2.2'],
    codes: [552],
    means: { type: 'quota_exceeded', of: 'mailbox' },
  },
  {
    words: words(
      'message size|(?:message|mail|attachment)~(?:too (?:large|big)|exceed(?:s|ed)? ~(?:size|limits?))|virus|malware|(?:illegal|blocked|unsafe) (?:attachment|content|file)s?',
    ),
    enhanced: ['3.4', '2.3', '6'],
    means: { type: 'invalid_value' },
  },
  {
    words: words('bad sequence|commands? ~not (?:implemented|recognized|supported)'),
    enhanced: ['5.1'],
    codes: [500, 502, 503],
    means: { type: 'execution_error' },
  },
  { words: words('timeout|timed out'), means: { type: 'timeout' } },
  {
    words: words(
      'throttl\\w+|rate|too (?:many|fast|quickly|often)(?! recipients)|excessive|volume|slow down|unusual|concurrent|limits? (?:exceeded|reached)',
    ),
    enhanced: ['7.28'],
    means: { type: 'rate_limit_exceeded' },
  },
  { words: words('loop|too many hops'), enhanced: ['4.6'], means: { type: 'execution_error' } },
  {
    words: words(
      'relay(?:ing)?~(?:denied|disallowed|prohibited|not (?:allowed|permitted))|spam\\w*|unsolicited|reputation|DMARC|SPF|DKIM|black ?list\\w*|block ?list\\w*|listed (?:in|on|at|by)|\\w*policy|policies|sender (?:address )?(?:rejected|denied)|not owned by ~user|send as',
    ),
    enhanced: ['1.8', '1.7'],
    means: { type: 'permission_denied' },
  },
  { words: words('too many recipients'), enhanced: ['5.3'], means: { type: 'invalid_value' } },
  {
    words: words('syntax|malformed|bad (?:address|recipient|destination)|invalid (?:address|domain)'),
    enhanced: ['1.3', '5.2', '5.4'],
    codes: [501, 504, 553],
    means: { type: 'invalid_value' },
  },
  {
    words: words(
      `${recipient}~(?:unknown|not found|not exist|unavailable|disabled|inactive|invalid|suspended|closed|not available|rejected)|(?:unknown|invalid|no such) (?:${recipient}|local part)|does(?: not|n['’]t) (?:have|like|exist)|no (?:mailbox|such|valid recipients?)|(?:domain|host)~(?:not found|unknown)|unrout(?:e)?able`,
    ),
    enhanced: ['1', '2.1', '4.4'],
    codes: [551],
    means: { type: 'not_found' },
  },
]

const notNow: Verdict = { type: 'unavailable' }

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
  if (!rule) return isTemporary ? notNow : { type: 'permission_denied' }
  if (isTemporary) return forNow(rule)
  return rule.means.type === 'timeout' ? notNow : rule.means
}

/** A full mailbox may be emptied, and a limit of a day is here one that passes; most else is only not now. */
function forNow({ means, enhanced }: ReplyRule): Verdict {
  if (means.of) return { ...means, resolver: 'time' }
  if (means.type === 'quota_exceeded' || enhanced?.includes('5.3')) return { type: 'rate_limit_exceeded' }
  const stays = ['not_configured', 'invalid_value', 'timeout', 'rate_limit_exceeded'].includes(means.type)
  return stays || enhanced?.includes('4.6') ? means : notNow
}

/** What Postfix and Exchange write in front of every reason that they have: `Recipient address rejected: Access denied`. */
const beforeReason = /\brecipient address(?:es)? rejected ?: (?=\S)/gi

function ruleOfWords(text: string): ReplyRule | undefined {
  const reason = text.replace(beforeReason, '')
  return rules.find((one) => one.words?.test(reason))
}

/** 530 to 538 speak of AUTH alone (RFC 4954). */
function ruleOfSignIn(code: number): ReplyRule | undefined {
  return code >= 530 && code <= 538 ? rules.find((one) => one.codes?.includes(code)) : undefined
}

/** The detail says more than its subject. */
function ruleOfEnhancedCode(detail: string): ReplyRule | undefined {
  const [subject = ''] = detail.split('.')
  return (
    rules.find((one) => one.enhanced?.includes(detail)) ??
    rules.find((one) => one.enhanced?.includes(subject))
  )
}

/** A server that writes enhanced codes says more with them than with the reply code, unless it is `5.0.0` or `5.5.0`. */
function ruleOfCode(code: number, enhanced: string): ReplyRule | undefined {
  const saysMore = enhanced !== '' && !/\.[05]\.0$/.test(enhanced)
  return saysMore ? undefined : rules.find((one) => one.codes?.includes(code))
}
