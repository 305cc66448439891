import { isUuid } from './uuid.ts'

const mask = '***'

/** Prefixes of providers' keys and tokens; the rest is the secret. */
const prefixedKeys = [
  'sk-[\\w-]{8,}', // OpenAI, Anthropic, OpenRouter and others
  '[spr]k_(?:live|test)_\\w{8,}', // Stripe
  'whsec_[\\w/+=]{8,}',
  'gh[opsur]_\\w{16,}', // GitHub
  'github_pat_\\w{16,}',
  'glpat-[\\w-]{16,}',
  'xox[a-z]-[\\w-]{8,}', // Slack
  'xapp-[\\w-]{8,}',
  'AIza[\\w-]{20,}', // Google
  'ya29\\.[\\w.-]{8,}',
  'GOCSPX-[\\w-]{8,}',
  '1//0[\\w-]{16,}',
  '(?:AKIA|ASIA)[A-Z0-9]{12,}', // AWS
  'SG\\.[\\w-]{8,}\\.[\\w-]{8,}', // SendGrid
  'key-[0-9a-f]{16,}', // Mailgun
  're_[A-Za-z0-9]{6,}_?\\w{6,}', // Resend
  '(?:secret|ntn)_[A-Za-z0-9]{16,}', // Notion
  'tvly-[\\w-]{8,}', // Tavily
  'BSA[\\w-]{20,}', // Brave
  'SK[0-9a-f]{32}', // Twilio
  'sb(?:p|_secret)_[\\w-]{8,}', // Supabase
  'hv[sb]\\.[\\w-]{16,}', // Vault
  'sq0[a-z]{3}-[\\w-]{16,}', // Square
  '(?:gsk|hf|npm|xai|pplx|fw|nvapi|r8|dop_v1|lin_api|shpat|dckr_pat|figd|pat|pypi|glsa|ATATT3|PMAK|rzp_live)[_-][A-Za-z0-9_-]{16,}',
].join('|')

/** Names whose value is a secret, in JSON, headers, assignments and query strings. */
const secretNames =
  '(?:[\\w-]*(?:password|passwd|passphrase|secret|api[_-]?key|private[_-]?key|access[_-]?key|auth[_-]?token|access[_-]?token|refresh[_-]?token|id[_-]?token|session[_-]?(?:id|token)|x-api-key|subscription-token)|pwd|token|authorization|proxy-authorization|set-cookie|cookie|sig|signature|credentials?|apikey|bearer)'

/** Words that follow such a name in an ordinary sentence. */
const plainWords =
  '(?:is|are|was|not|no|an?|the|and|or|has|must|required|missing|invalid|expired|null|undefined|none|true|false|expected|string|incorrect|wrong|revoked|unknown|please|should|cannot|could|for|from|in|to|with|provided|found|authentication|header)\\b'

const rules: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z ]+-----[\s\S]*?(?:-----END [A-Z ]+-----|$)/g, mask],
  [/\beyJ[\w-]{8,}(?:\.[\w-]*){0,2}/g, mask],
  [/\b((?:Bearer|Basic|Token|Negotiate|Digest)\s+)(?=[\w.~+/=-]*[\d=._-])[\w.~+/=-]{8,}/gi, `$1${mask}`],
  [/\b([a-z][a-z0-9+.-]{0,30}:\/\/)[^\s/@"'<>]+@/gi, `$1${mask}@`],
  [new RegExp(`([?&;](?:${secretNames}|key|code|auth|pass|x-amz-[\\w-]+)=)[^&\\s"'<>#]+`, 'gi'), `$1${mask}`],
  [new RegExp(`(?<![\\w-])(?:${prefixedKeys})`, 'g'), mask],
  // Secrets in URL paths: Slack's and Discord's webhooks, Telegram's bots.
  [/(\/(?:services|webhooks)\/\w+\/)[^\s"'<>?#]+|(\/bot)\d+:[\w-]+/g, `$1$2${mask}`],
  // Gmail's app passwords are four groups of four letters.
  [/(\bpass(?:word)?\W{1,4})[a-z]{4}(?: [a-z]{4}){3}\b/gi, `$1${mask}`],
  [
    new RegExp(`((?<![\\w-])${secretNames}\\\\?["']?\\s*[:=]\\s*\\\\?["'])(?:[^"'\\\\]|\\\\(?!["']))+`, 'gi'),
    `$1${mask}`,
  ],
  [
    new RegExp(`((?<![\\w-])${secretNames}\\s*[:=]\\s*)(?!${plainWords}|["'\\\\*])[^\\s,;"'}\\])]+`, 'gi'),
    `$1${mask}`,
  ],
  // `with password "hunter2"`, `API key provided: 3f2504e0`.
  [
    /((?<!unexpected )\b(?:password|passphrase|secret|token|api[ _-]?key|pass)(?: (?:is|was|of))?\s*=?\s*)(?:"[^"\n]{5,}"|'[^'\n]{5,}')/gi,
    `$1${mask}`,
  ],
  [
    /(\b(?:api[ _-]?key|access key|token|secret|password)(?: (?:provided|given|used|supplied|sent|received|is|was))?:?\s+)(?=\S*\d)[\w.+/=-]{12,}/gi,
    `$1${mask}`,
  ],
]

const candidates = /(?<![\w@])[A-Za-z0-9+/_=-]{16,}(?![\w@])|https?:\/\/[^\s"'<>?#]+/g
/** A path that grants access to anybody who knows it; ids in other paths are not secret: `/document/d/1BxiMVs0XRA5`. */
const secretPath =
  /\b(?:\w*hooks?|bot|keys?|tokens?|secrets?|reset\w*|verif\w*|invit\w*|auth\w*|sessions?|services|magic|share)\b/i

/**
 * Replaces everything that looks like a secret with `***`: keys with known prefixes, tokens after `Bearer` or `password:`,
 * JWTs, PEM blocks, credentials in URLs and query strings, and random-looking text. Ordinary text, UUIDs, dates,
 * addresses and model names stay.
 *
 * @example
 * maskSecrets('401: Incorrect API key provided: sk-proj-a1B2c3D4e5F6')
 * // => '401: Incorrect API key provided: ***'
 */
export function maskSecrets(text: string): string {
  let masked = text
  for (const [pattern, replacement] of rules) masked = masked.replace(pattern, replacement)
  return masked.replace(candidates, (token) => {
    if (/^https?:/.test(token)) return maskPath(token)
    return looksRandom(token) ? mask : token
  })
}

function maskPath(url: string): string {
  if (!secretPath.test(url)) return url
  return url
    .split('/')
    .map((part) => (part.length >= 16 && looksRandom(part) ? mask : part))
    .join('/')
}

/** Random text switches between letters and digits far more often than words and names do. */
function looksRandom(token: string): boolean {
  if (isUuid(token)) return false
  if (
    token.length >= 32 &&
    /[a-z]/.test(token) &&
    /[A-Z]/.test(token) &&
    /\d/.test(token) &&
    entropy(token) > 4.4
  )
    return true
  return token.split(/[-_/=]+/).some((part) => {
    const letterChanges = part.match(/[a-z][A-Z]|[A-Z][a-z](?=[A-Z])/g)?.length ?? 0
    const digitChanges = part.match(/[A-Za-z]\d|\d[A-Za-z]/g)?.length ?? 0
    return part.length >= 16 && (digitChanges >= 3 || letterChanges + digitChanges > part.length / 4)
  })
}

/** Shannon entropy in bits per character. */
function entropy(text: string): number {
  const counts = new Map<string, number>()
  for (const char of text) counts.set(char, (counts.get(char) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length)
  return bits
}
