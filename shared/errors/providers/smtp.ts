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
  /** Enhanced codes without their class (`1.1` for 4.1.1 and 5.1.1), or reply codes. */
  codes?: RegExp
  words?: RegExp
  /** Verdict of a temporary (4yz) and a final (5yz) reply. */
  temporary: Verdict
  final: Verdict
}

const notNow: Verdict = { type: 'unavailable' }
const tooFast: Verdict = { type: 'rate_limit_exceeded' }
const refused: Verdict = { type: 'permission_denied' }
const unknownRecipient: Verdict = { type: 'not_found' }
const badCredentials: Verdict = { type: 'authentication_error' }
const badMessage: Verdict = { type: 'invalid_value' }

/** RFC 3463 and 5321, and the words of the large providers, which reuse codes freely. The first that fits holds. */
const rules: readonly SmtpRule[] = [
  {
    words: /\bstarttls\b/i,
    temporary: { type: 'not_configured' },
    final: { type: 'not_configured' },
  },
  {
    words:
      /\bsending (?:limit|quota)|\b(?:daily|hourly) (?:\w+ ){0,3}(?:limit|quota)|\b(?:limit|quota) (?:on the number of|of) (?:messages|recipients)|\bmessage limit\b|\bsubmission (?:limit|quota)|\boutbound\b.{0,30}\blimit/i,
    temporary: tooFast,
    final: { type: 'quota_exceeded' },
  },
  {
    codes: /^(?:7\.8|7\.139|7\.57|53[058])$/,
    words:
      /\bauthentication (?:required|failed|unsuccessful|credentials|is required)|\bauthenticate first\b|\busername and password not accepted\b|\bapplication-specific password\b|\b(?:bad|invalid|incorrect) (?:credentials|login|password|username)|\blog ?in (?:denied|failed)|\bplease log in\b|\bclient was not authenticated\b|\bsmtpclientauthentication is disabled\b/i,
    temporary: notNow,
    final: badCredentials,
  },
  {
    codes: /^(?:2\.2|552)$/,
    words:
      /\b(?:mailbox|inbox|account|user|recipient)\b.{0,30}\b(?:full|over ?quota|exceeded|out of storage)|\bover ?quota\b|\bquota (?:exceeded|is full)|\bexceeded storage\b|\bout of storage\b|\bmailbox (?:size )?limit\b/i,
    temporary: { type: 'quota_exceeded', resolver: 'time' },
    final: { type: 'quota_exceeded' },
  },
  {
    codes: /^(?:3\.4|2\.3)$/,
    words:
      /\b(?:message|mail|attachment|size)\b.{0,40}\b(?:too (?:large|big)|exceeds?\b.{0,30}\b(?:size|limit|maximum)|size limit)/i,
    temporary: badMessage,
    final: badMessage,
  },
  {
    words:
      /\bvirus\b|\bmalware\b|\b(?:attachment|content|file type|executable)s?\b.{0,40}\b(?:blocked|not allowed|rejected|prohibited|unsafe|forbidden|security)|\bbare (?:LF|CR)\b|\b(?:missing|invalid|multiple|duplicate) (?:\w+ )?headers?\b|\bRFC ?\d{4}\b/i,
    temporary: badMessage,
    final: badMessage,
  },
  {
    codes: /^(?:1\.8|1\.7)$/,
    words:
      /\bsender (?:address )?(?:rejected|invalid|unknown|denied|verify failed)|\b(?:invalid|unknown|bad) sender\b|\bnot owned by (?:the )?(?:auth )?user|\bsend as\b|\bsender domain\b|\bdomain of sender\b/i,
    temporary: notNow,
    final: badMessage,
  },
  {
    codes: /^(?:1\.1|1\.10|1\.2|1\.6|2\.1|4\.4|551)$/,
    words:
      /\b(?:user|recipient|mailbox|account|address|alias|inbox)\b.{0,40}\b(?:unknown|not found|does(?: not|n['’]t) exist|not exist|unavailable|disabled|inactive|invalid|suspended|deactivated|deleted|closed|no longer|not available|rejected|not listed|undeliverable)|\b(?:unknown|invalid|no such|nonexistent|inactive) (?:user|recipient|mailbox|account|address|local part|alias)|\bno (?:mailbox|such|valid recipients?)\b|\bdoes(?: not|n['’]t) (?:have|like)\b.{0,30}\b(?:account|recipient)|\b(?:domain|host)\b.{0,20}\b(?:not found|does not exist|unknown)|\bunrout(?:e)?able\b|\bno mx\b|\buser doesn['’]t\b|\bnot our customer\b|\bis not a (?:known|valid) (?:user|mailbox)/i,
    temporary: notNow,
    final: unknownRecipient,
  },
  {
    codes: /^(?:1\.3|5\.2|5\.4|50[14]|553)$/,
    words:
      /\bsyntax\b|\bmalformed\b|\bbad (?:address|recipient|destination)|\bnot a valid (?:RFC|address|e-?mail)|\binvalid (?:address|domain)/i,
    temporary: badMessage,
    final: badMessage,
  },
  {
    codes: /^(?:5\.3)$/,
    words: /\btoo many recipients\b/i,
    temporary: tooFast,
    final: badMessage,
  },
  {
    codes: /^7\.28$/,
    words:
      /\bthrottl|\brate\b|\btoo (?:many|fast|much|quickly)\b|\bexcessive\b|\bvolume\b|\bslow down\b|\bunusual\b|\bconcurrent\b|\bexceed(?:ed|s)?\b|\bcomplaints\b|\b(?:connection|message)s? (?:limit|count)|\btemporarily (?:blocked|limited|rate)/i,
    temporary: tooFast,
    final: tooFast,
  },
  {
    codes: /^(?:502|503|500|5\.1)$/,
    words:
      /\bbad sequence\b|\b(?:command|feature)\b.{0,20}\bnot (?:implemented|recognized|supported)|\bunrecogni[sz]ed command\b/i,
    temporary: notNow,
    final: { type: 'execution_error' },
  },
]

/**
 * What a reply of a mail server means. 4yz may pass, 5yz will not: a refusal that is about nothing else is one of
 * policy (spam, reputation, relaying). Every one of them proves that nothing was sent.
 */
export function verdictOfReply({ code, enhanced, text, command }: SmtpReply): Verdict {
  const temporary = code < 500
  const detail = enhanced?.slice(2) ?? String(code)
  if (command?.startsWith('AUTH') && code !== 421) return temporary ? notNow : badCredentials
  const found = rules.find(({ codes, words }) => codes?.test(detail) || words?.test(text))
  if (found) return temporary ? found.temporary : found.final
  return temporary ? notNow : refused
}
