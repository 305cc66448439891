import type { JsonSchema } from './json-schema.ts'
import { wordsOfName } from './words-of-name.ts'

/**
 * How much a value that is none of the allowed ones speaks against a branch of `anyOf`: a wrong discriminator, the only
 * value allowed, more than all else together; another spelling hardly.
 */
export function valueWeight({ const: only, enum: several = [] }: JsonSchema, value: unknown): number {
  const allowed = only === undefined ? several : [only]
  if (allowed.length === 0 || allowed.includes(value)) return 0
  if (typeof value === 'string' && allowed.some((text) => fold(String(text)) === fold(value))) return 0.1
  return allowed.length === 1 ? 10 : 1.5
}

function fold(text: string): string {
  return text.toLowerCase().replace(/[\s_-]+/g, '')
}

/** How much a name that an object does not declare speaks against it; one that looks like a declared one less. */
export function nameWeight(object: JsonSchema, name: string): number {
  const said = lowerWords(name)
  const isNear = Object.keys(object.properties ?? {}).some((declared) =>
    lowerWords(declared).some((word) => said.includes(word)),
  )
  return isNear ? 0.5 : 1
}

function lowerWords(name: string): string[] {
  return wordsOfName(name).map((word) => word.toLowerCase())
}
