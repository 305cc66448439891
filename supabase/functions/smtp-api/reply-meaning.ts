import { defaultResolver, type Resolver, type ToolErrorType } from '../../../shared/engine/core/tool-error.ts'
import type { SmtpReply } from './reply.ts'

export interface ReplyMeaning {
  type: ToolErrorType
  /** Whose turn it is. */
  resolver: Resolver
  /** The mailbox of a recipient is full, not the account that sends. */
  isMailbox?: boolean
}

/** Enhanced codes are written without their class: `1.1` stands for 4.1.1 and 5.1.1, `7` for every code of that subject. */
interface ReplyRule {
  words?: RegExp
  enhanced?: readonly string[]
  codes?: readonly number[]
  type: ToolErrorType
  isMailbox?: boolean
}

/**
 * Replies of mail servers (RFC 5321, RFC 3463). Large providers use the codes loosely, so the few words that they agree
 * on say more than an enhanced code, and that says more than a reply code. The first rule that fits wins.
 */
const rules: readonly ReplyRule[] = [
  { words: /\bstarttls\b/i, type: 'not_configured' },
  {
    words: /\b(?:(?:daily|hourly|monthly|sending) (?:\w+ ){0,3}|message )(?:limit|quota)\b/i,
    type: 'quota_exceeded',
  },
  {
    enhanced: ['7.8', '7.9', '7.11', '7.57', '7.139'],
    codes: [530, 534, 535, 538],
    type: 'authentication_error',
  },
  {
    words: /\bover ?quota\b|\bout of storage\b|\bmailbox (?:is )?full\b/i,
    enhanced: ['2.2'],
    codes: [552],
    type: 'quota_exceeded',
    isMailbox: true,
  },
  {
    words: /\bvirus\b|\bmalware\b|\b(?:illegal|blocked|unsafe) (?:attachment|content|file)/i,
    enhanced: ['3.4', '2.3', '6'],
    type: 'invalid_value',
  },
  { enhanced: ['5.1'], codes: [500, 502, 503], type: 'execution_error' },
  {
    words:
      /\bthrottl|\brate\b|\btoo (?:many|fast|quickly|often)\b(?! recipients)|\bvolume\b|\bconcurrent\b|\blimits? (?:exceeded|reached)\b/i,
    enhanced: ['7.28'],
    type: 'rate_limit_exceeded',
  },
  {
    words:
      /\brelay|\bspam|\bDMARC\b|\bSPF\b|\bDKIM\b|\bpolic(?:y|ies)\b|\bsender (?:address )?(?:rejected|denied)\b/i,
    enhanced: ['1.8', '1.7'],
    type: 'permission_denied',
  },
  { enhanced: ['5.3'], type: 'invalid_value' },
  { enhanced: ['1.3', '5.2', '5.4'], codes: [501, 504, 553], type: 'invalid_value' },
  {
    words:
      /\b(?:unknown|no such) (?:user|recipient|mailbox|account|address)|\b(?:user|recipient|mailbox|account|address) (?:\w+ )?(?:unknown|not found)\b|\bdoes(?: not|n['’]t) (?:exist\b|have an? .{0,40}account)|\bno mailbox\b|\bunrout/i,
    enhanced: ['1', '2.1', '4.4'],
    codes: [551],
    type: 'not_found',
  },
]

/**
 * The meaning of a mail server's reply. 4yz is temporary, 5yz is not: a refusal about nothing else is about policy
 * (spam, reputation, relaying). Each of them proves that nothing was sent.
 */
export function meaningOfReply({ code, enhancedCode = '', text }: SmtpReply): ReplyMeaning {
  const rule =
    rules.find((one) => one.words?.test(text)) ??
    ruleOfSignIn(code) ??
    ruleOfEnhancedCode(enhancedCode.slice(2)) ??
    ruleOfCode(code, enhancedCode)
  if (code < 500) return meaningForNow(rule)
  const { type, isMailbox } = rule ?? { type: 'permission_denied' }
  return { type, resolver: defaultResolver[type], isMailbox }
}

/** What a temporary refusal means: a full mailbox, a limit that will pass (even a daily one), or that it is not possible now. */
function meaningForNow(rule: ReplyRule | undefined): ReplyMeaning {
  if (rule?.isMailbox) return { type: rule.type, resolver: 'time', isMailbox: true }
  const isLimit = rule?.type === 'quota_exceeded' || rule?.type === 'rate_limit_exceeded'
  const isOfMany = rule?.enhanced?.includes('5.3')
  return { type: isLimit || isOfMany ? 'rate_limit_exceeded' : 'unavailable', resolver: 'time' }
}

/** 530 to 538 are about AUTH only (RFC 4954). */
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

/** A server's enhanced codes say more than its reply codes, except `5.0.0` and `5.5.0`. */
function ruleOfCode(code: number, enhancedCode: string): ReplyRule | undefined {
  const saysMore = enhancedCode !== '' && !/\.[05]\.0$/.test(enhancedCode)
  return saysMore ? undefined : rules.find((one) => one.codes?.includes(code))
}
