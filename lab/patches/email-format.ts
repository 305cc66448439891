// The package's own check: `compile-schema.ts`, which replaces it, is not imported here.
import { format } from '@cfworker/json-schema'
import { readEmailAddress } from '../../shared/engine/schema/email-format.ts'

/** Where the validator's own check of email addresses and the mail functions disagree. */
export interface Disagreement {
  /** Of this many addresses. */
  total: number
  /** It refuses what they would send to. */
  refused: number
  /** It accepts what they refuse. */
  accepted: number
}

/** In ASCII and other scripts, with the characters and lengths that RFC 5321 allows and forbids. */
const names = [
  'ada',
  'ada.lovelace',
  'ada+news',
  'jürgen',
  '用户',
  '"ada l"',
  'ada..b',
  '.ada',
  'ada l',
  "o'neil",
  'x'.repeat(65),
]
const domains = [
  'example.com',
  'EXAMPLE.COM',
  'mail.example.museum',
  'müller.de',
  '例え.jp',
  'xn--mller-kva.de',
  'localhost',
  '[127.0.0.1]',
  'example.com.',
  '-a.com',
  'a_b.com',
  'exa\u200bmple.com',
  `${'a'.repeat(64)}.com`,
]

export function measureEmailFormat(): Disagreement {
  const all = names.flatMap((name) => domains.map((domain) => `${name}@${domain}`))
  const isAccepted = (address: string) => format.email?.(address) ?? true
  const isSentTo = (address: string) => readEmailAddress(address).ok
  return {
    total: all.length,
    refused: all.filter((one) => isSentTo(one) && !isAccepted(one)).length,
    accepted: all.filter((one) => !isSentTo(one) && isAccepted(one)).length,
  }
}
