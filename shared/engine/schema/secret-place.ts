import type { JsonPath } from '../core/json-path.ts'
import type { JsonSchema } from '../core/json-schema.ts'
import { spellOutName } from './words-of-name.ts'

const secretWords =
  'pass(?:words?|wd|phrase|code)|pwd|pass (?:word|phrase|code)|secrets?|(?:api|access|private|secret|encryption|signing|license|service|account) ?keys?|authorization|auth|bearer|credentials?|jwt|otp|cvv|cvc|pin|pin code|cookies?|session (?:id|key)|connection string|token'
/** The words that the name of a secret ends with. */
const secretName = new RegExp(
  `(?:^| )(?:${secretWords})(?: (?:value|text|hash))?$|(?:^| )(?:password|secret) `,
)
const secretInside = new RegExp(`(?:^| )(?:${secretWords})(?= |$)`)
/** Tokens that only say where to continue, or how many. */
const publicToken =
  /(?:^| )(?:page|next|previous|prev|sync|continuation|start|end|cursor|pagination|search|device|contract|stop|delta|resume|id) token$/
const secretDescription =
  /\b(?:api|secret|private|access|authentication|authorization|license) (?:key|token)\b|\bpassword\b/i

/** Whether the value under a name is a secret: by `format: password`, `writeOnly`, or the name. */
export function isSecretPlace(path: JsonPath, schema: JsonSchema | boolean | undefined): boolean {
  const shape = typeof schema === 'object' ? schema : {}
  if (isDeclaredSecret(shape)) return true
  if (shape.enum !== undefined || shape.const !== undefined) return false
  return path.some((key) => typeof key === 'string' && isSecretName(key)) || isKey(path.at(-1), shape)
}

/** Whether a sentence names a secret like a parameter: a request for one opens no field. */
export function mentionsSecret(sentence: string): boolean {
  return secretInside.test((sentence.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' '))
}

function isDeclaredSecret(shape: JsonSchema): boolean {
  if (shape.secret === true || shape.format === 'password' || shape.writeOnly === true) return true
  return (shape.anyOf ?? shape.oneOf ?? []).some((part) => typeof part === 'object' && isDeclaredSecret(part))
}

function isSecretName(name: string): boolean {
  const words = spellOutName(name).join(' ').toLowerCase()
  return secretName.test(words) && !publicToken.test(words)
}

/** A `key` that the description calls a secret. */
function isKey(name: string | number | undefined, { description = '' }: JsonSchema): boolean {
  return typeof name === 'string' && /key$/i.test(name) && secretDescription.test(description)
}
