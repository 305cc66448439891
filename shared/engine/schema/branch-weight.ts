import type { JsonSchema } from '../core/json-schema.ts'
import { spellOutName } from './words-of-name.ts'

/**
 * How strongly a value that is not allowed speaks against a branch of `anyOf`: a wrong discriminator, the only
 * value allowed, more than everything else together; another spelling hardly at all.
 */
export function weighValue({ const: only, enum: several = [] }: JsonSchema, value: unknown): number {
  const allowed = only === undefined ? several : [only]
  if (allowed.length === 0 || allowed.includes(value)) return 0
  if (typeof value === 'string' && allowed.some((text) => fold(String(text)) === fold(value))) return 0.1
  return allowed.length === 1 ? 10 : 1.5
}

function fold(text: string): string {
  return text.toLowerCase().replace(/[\s_-]+/g, '')
}

/** More undeclared names do not show which branch was meant. */
const maxCompared = 8

/** How strongly undeclared names speak against an object: the less, the more they look like declared ones. */
export function weighNames({ properties = {} }: JsonSchema, names: readonly string[]): number {
  if (names.length > maxCompared) return names.length
  const declared = spellOutMembers(properties)
  return names.reduce((sum, name) => {
    const said = lowerWords(name)
    const likeness = declared.map(
      (words) => words.filter((word) => said.includes(word)).length / Math.max(words.length, said.length, 1),
    )
    return sum + 1 - Math.max(0, ...likeness)
  }, 0)
}

const knownWords = new WeakMap<object, string[][]>()

function spellOutMembers(properties: NonNullable<JsonSchema['properties']>): string[][] {
  const words = knownWords.get(properties) ?? Object.keys(properties).map(lowerWords)
  knownWords.set(properties, words)
  return words
}

function lowerWords(name: string): string[] {
  return spellOutName(name).map((word) => word.toLowerCase())
}
