import { inWords } from '../in-words.ts'
import type { Reading } from '../refuse.ts'

/** What must stand at a place of a request, as its schema says it. */
export interface Expected {
  kind: 'choice' | 'id' | 'time' | 'text' | 'whole' | 'list' | 'flag' | 'object' | 'valid'
  choices?: readonly unknown[]
  least?: number | undefined
  most?: number | undefined
  example?: unknown
  orNull?: boolean
}

/** A value of a request that is missing, or not what its schema says. */
export interface Unfit {
  /** Such as `messages[0].id`; empty for the body itself. */
  path: string
  given: unknown
  expected: Expected
  /** What the API's description says of it in English, in place of what the schema says. */
  words?: { expected?: string | undefined; instead?: string | undefined }
}

/** Characters of a value that a sentence repeats. */
const longestValue = 100

const json = (value: unknown) => JSON.stringify(value)
const isLong = (given: unknown): given is string => typeof given === 'string' && given.length > longestValue

/** `"id" must be an id, not 7. Send an id.` */
export function unfitInEnglish({ path, given, expected, words = {} }: Unfit): string {
  const what = words.expected ?? expectedInEnglish(expected)
  const name = path === '' ? 'The request body' : `"${path}"`
  if (given === undefined) return `${name} is missing. ${words.instead ?? `Send ${what}.`}`
  const wrong = `${name} must be ${what}, not ${givenInEnglish(given)}.`
  return words.instead === undefined ? wrong : `${wrong} ${words.instead}`
}

function givenInEnglish(given: unknown): string {
  if (isLong(given)) return `a text of ${given.length} characters`
  if (Array.isArray(given)) return given.length === 0 ? 'an empty list' : 'a list'
  return typeof given === 'object' && given !== null ? 'an object' : json(given)
}

function expectedInEnglish({ kind, choices = [], least, most, example, orNull = false }: Expected): string {
  const kinds: Record<Expected['kind'], string> = {
    choice: inWords(choices.map(json), 'or'),
    id: 'an id',
    time: 'a time in ISO 8601',
    text: most === undefined ? 'a text' : `a text of ${least ? `${least} to` : 'at most'} ${most} characters`,
    whole: `a whole number from ${least} to ${most}`,
    list: 'a list',
    flag: 'true or false',
    object: 'a JSON object',
    valid: 'valid',
  }
  return `${kinds[kind]}${example === undefined ? '' : `, such as ${json(example)}`}${orNull ? ', or null' : ''}`
}

/** `„id“ muss eine ID sein, nicht 7.` */
export function unfitInGerman({ path, given, expected }: Unfit, { show }: Reading): string {
  const name = path === '' ? 'Die Anfrage' : (show.value(path) ?? '')
  const what = expectedInGerman(expected, show)
  if (given === undefined) return `${name} fehlt.${what === undefined ? '' : ` Nötig ist ${what}.`}`
  return what === undefined
    ? `${name} passt so nicht: ${givenInGerman(given)}.`
    : `${name} muss ${what} sein, nicht ${givenInGerman(given)}.`
}

function givenInGerman(given: unknown): string {
  if (isLong(given)) return `ein Text aus ${given.length} Zeichen`
  if (Array.isArray(given)) return given.length === 0 ? 'eine leere Liste' : 'eine Liste'
  return typeof given === 'object' && given !== null ? 'ein Objekt' : json(given)
}

function expectedInGerman(
  { kind, choices = [], least, most, example, orNull = false }: Expected,
  show: Reading['show'],
): string | undefined {
  const kinds: Record<Expected['kind'], string | undefined> = {
    choice: show.list(choices.map(json), 'disjunction'),
    id: 'eine ID',
    time: 'eine Zeit nach ISO 8601',
    text:
      most === undefined
        ? 'ein Text'
        : `ein Text aus ${least ? `${least} bis` : 'höchstens'} ${most} Zeichen`,
    whole: `eine ganze Zahl von ${least} bis ${most}`,
    list: 'eine Liste',
    flag: 'true oder false',
    object: 'ein JSON-Objekt',
    valid: undefined,
  }
  const what = kinds[kind]
  if (what === undefined) return undefined
  return `${what}${example === undefined ? '' : ` wie ${json(example)}`}${orNull ? ' oder null' : ''}`
}
