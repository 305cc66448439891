import type { JsonSchema } from '../../core/json-schema.ts'
import { declaredNames, flattenSchema } from '../../schema/resolve-schema.ts'
import {
  differInDigits,
  foldName,
  isSameWord,
  isTypo,
  looksAlike,
  maxNameLength,
  splitWords,
} from './compare-names.ts'

/** How close an undeclared name is to a declared one. */
type Nearness = 'same' | 'slip' | 'part' | 'related'

/** Closest first. */
const order: readonly Nearness[] = ['same', 'slip', 'part', 'related']

export interface NearName {
  name: string
  nearness: Nearness
}

/** A meaningless namespace before a name, as in `params.city`; `billing.city` is a different city. */
const namespace =
  /^(?:(?:params?|parameters?|arg(?:ument)?s?|kwargs|inputs?|options|query|body|data|request|payload|fields?|properties)(?:\.|\/|:+|__))+/i

/** True if two names are the same in another spelling, by a declared alias or after a namespace. */
export function isSameName(name: string, declared: string, aliases: readonly string[] = []): boolean {
  if (name.length > maxNameLength) return false
  const folded = foldName(name)
  if (folded === '') return false
  const wanted = [declared, ...aliases].map(foldName)
  return wanted.includes(folded) || wanted.includes(foldName(name.replace(namespace, '')))
}

/** How close an undeclared name is to a declared parameter; `undefined` if they are unrelated. */
export function judgeNearness(name: string, declared: string, schema: JsonSchema): Nearness | undefined {
  if (name.length > maxNameLength) return undefined
  if (isSameName(name, declared, schema.aliases)) return 'same'
  if (isSlip(name, declared)) return 'slip'
  const said = splitWords(name)
  const meant = splitWords(declared)
  if (said.length === 0 || differInDigits(name, declared)) return undefined
  const shared = said.filter((word) => meant.some((other) => isSameWord(word, other)))
  if (shared.length === said.length) return 'part'
  return shared.length > 0 || looksAlike(foldName(name), foldName(declared)) ? 'related' : undefined
}

/** A typo in one or more words of a name. */
export function isSlip(name: string, declared: string): boolean {
  const words = splitWords(name)
  const meant = splitWords(declared)
  if (words.length !== meant.length) return isTypo(foldName(name), foldName(declared))
  return words.every((word, index) => word === meant[index] || isTypo(word, meant[index] ?? ''))
}

/** The missing declared parameters with similar names, closest first. */
export function nearNames(
  root: JsonSchema,
  object: JsonSchema,
  name: string,
  absent: readonly string[],
): NearName[] {
  const near: NearName[] = []
  for (const declared of absent) {
    const nearness = judgeNearness(name, declared, flattenSchema(root, object.properties?.[declared]))
    if (nearness) near.push({ name: declared, nearness })
  }
  return near.sort((a, b) => order.indexOf(a.nearness) - order.indexOf(b.nearness))
}

/** The declared names that an object lacks. */
export function absentNames(object: JsonSchema, value: Record<string, unknown>): string[] {
  return declaredNames(object).filter((name) => !Object.hasOwn(value, name))
}
