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
  stemWord,
} from './compare-names.ts'
import { areOpposites } from './opposites.ts'

/** How near an undeclared name is to a declared one. */
type Nearness = 'same' | 'slip' | 'part' | 'related'

/** Nearest first. */
const order: readonly Nearness[] = ['same', 'slip', 'part', 'related']

export interface NearName {
  name: string
  nearness: Nearness
}

/** Words that say nothing about which parameter is meant. */
const emptyWords = new Set(
  'the a an of for to in on is be by with and or include input output value param parameter arg argument field data'.split(
    ' ',
  ),
)

/** A namespace before a name that says nothing about it, as in `params.city`; `billing.city` is another city. */
const namespace =
  /^(?:(?:params?|parameters?|arg(?:ument)?s?|kwargs|inputs?|options|query|body|data|request|payload|fields?|properties)(?:\.|\/|:+|__))+/i

/** True when two names are one in another spelling, by a declared alias or behind a namespace. */
export function isSameName(name: string, declared: string, aliases: readonly string[] = []): boolean {
  if (name.length > maxNameLength) return false
  const folded = foldName(name)
  if (folded === '') return false
  const wanted = [declared, ...aliases].map(foldName)
  return wanted.includes(folded) || wanted.includes(foldName(name.replace(namespace, '')))
}

/** How near an undeclared name is to a declared parameter; `undefined` when they have nothing to do with each other. */
export function judgeNearness(name: string, declared: string, schema: JsonSchema): Nearness | undefined {
  if (name.length > maxNameLength) return undefined
  if (isSameName(name, declared, schema.aliases)) return 'same'
  if (isSlip(name, declared)) return 'slip'
  const said = contentWords(name)
  const meant = contentWords(declared)
  if (said.length === 0 || meant.length === 0 || differInDigits(name, declared)) return undefined
  if (said.some((word) => meant.some((other) => areOpposites(word, other)))) return undefined
  if (said.every((word) => meant.some((other) => isSameWord(word, other)))) return 'part'
  const shares = said.some((word) => meant.some((other) => isSameWord(word, other)))
  const isNear = shares || looksAlike(foldName(name), foldName(declared))
  return isNear || isMentioned(said, schema.description) ? 'related' : undefined
}

/** A slip of the pen in one or more words of a name. */
export function isSlip(name: string, declared: string): boolean {
  const words = splitWords(name)
  const meant = splitWords(declared)
  if (words.length !== meant.length) return isTypo(foldName(name), foldName(declared))
  return words.every((word, index) => word === meant[index] || isTypo(word, meant[index] ?? ''))
}

function contentWords(name: string): string[] {
  const words = splitWords(name).filter((word) => !/^\p{N}+$/u.test(word))
  const content = words.filter((word) => !emptyWords.has(word))
  return content.length > 0 ? content : words
}

/** `cost` for a `price` that is described as what something costs. */
function isMentioned(said: string[], description = ''): boolean {
  const words = splitWords(description).map(stemWord)
  return said.some((word) => word.length > 3 && words.includes(stemWord(word)))
}

/** The declared parameters near a name, nearest first, among those that are absent. */
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

/** The declared names that an object does not have. */
export function absentNames(object: JsonSchema, value: Record<string, unknown>): string[] {
  return declaredNames(object).filter((name) => !Object.hasOwn(value, name))
}
