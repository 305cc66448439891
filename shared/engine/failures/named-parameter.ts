import { findFormat } from '../../words/formats.ts'
import { formatPath, type JsonPath, valueAt } from '../core/json-path.ts'
import type { JsonSchema } from '../core/json-schema.ts'
import { unspacedScript } from '../core/unspaced-scripts.ts'
import { type CalledWith, declaredPlace, type Place } from '../schema/place.ts'
import { flattenSchema, pickShape } from '../schema/resolve-schema.ts'
import { isSecretPlace, mentionsSecret } from '../schema/secret-place.ts'
import { makeSingular, spellOutName } from '../schema/words-of-name.ts'
import { firstSentence } from '../wording/first-sentence.ts'
import { wordsGiven } from './words-given.ts'

/** A declared place, with the shape that says most about it. */
interface DeclaredPlace extends Place {
  shape: JsonSchema
}

/**
 * The only place of a call that a sentence is about; of a sentence of ours that quotes somebody, the one that the quote
 * is about. By a name in quotation marks, its question, or the words of its title, description, name and format. Undefined
 * if none or several fit, and never a secret: secrets belong to connections.
 */
export function placeNamedIn(sentence: string, called: CalledWith, isAboutGiven: boolean): Place | undefined {
  const places = listPlaces(called).filter(({ path, shape }) => !isSecretPlace(path, shape))
  const said = wordsGiven(sentence)
  const [first = ''] = said.split(/(?<=[.?!])\s|(?<=[。！？])/u)
  for (const words of tiers) {
    for (const text of [first, said]) {
      const found = mostTelling(places, words, normalise(text), text)
      const isMeant = ({ value }: Place) => (value !== undefined) === isAboutGiven
      const chosen = found.length > 1 ? found.filter(isMeant) : found
      if (chosen.length === 1) return chosen[0]
      if (found.length > 0) break
    }
  }
  return undefined
}

/**
 * The only place that a question asks for: the only required one missing from the call, else the one that its words
 * fit. Undefined for a question about a secret: it must not open a field.
 */
export function placeAskedFor(question: string, called: CalledWith): Place | undefined {
  if (mentionsSecret(question)) return undefined
  const { parameters, args } = called
  const lacking = (flattenSchema(parameters, parameters).required ?? []).filter(
    (name) => args[name] === undefined,
  )
  const only = lacking.length === 1 ? declaredPlace(called, lacking) : undefined
  return only && !isSecretPlace(only.path, only.schema) ? only : placeNamedIn(question, called, false)
}

const deepest = 3

/** Every declared member, outer ones first. */
function listPlaces({ parameters, args }: CalledWith): DeclaredPlace[] {
  const places: DeclaredPlace[] = []
  const visit = (schema: JsonSchema, path: JsonPath) => {
    if (path.length >= deepest) return
    for (const [name, member] of Object.entries(flattenSchema(parameters, schema).properties ?? {})) {
      const inner = [...path, name]
      const shape = pickShape(parameters, member)
      places.push({ path: inner, schema: member, shape, value: valueAt(args, inner) })
      visit(shape, inner)
    }
  }
  visit(parameters, [])
  return places
}

/** What a sentence may say about a place: its own phrases; in the first tier, with the marks around a name. */
type Phrases = (place: DeclaredPlace) => string[]

const nameOf = ({ path }: Pick<Place, 'path'>) => String(path.at(-1))

const tiers: readonly { phrasesOf: Phrases; isExact?: boolean }[] = [
  {
    phrasesOf: (place) =>
      [nameOf(place), formatPath(place.path)].flatMap((name) => [
        `"${name}"`,
        `'${name}'`,
        `\`${name}\``,
        `(${name})`,
      ]),
    isExact: true,
  },
  { phrasesOf: ({ shape }) => [shape.question ?? ''] },
  { phrasesOf: (place) => [...listLabels(place), ...formatWords(place.shape)] },
]

/** What people call the place. A name that is an ordinary word proves nothing. */
function listLabels({ path, shape }: DeclaredPlace): string[] {
  const names = [String(path.at(-1)), ...(shape.aliases ?? [])].map((name) => spellOutName(name).join(' '))
  const described = firstSentence(shape).replace(/^(?:the|an?) /i, '')
  return [...names, shape.title ?? '', described].filter((label) => !ordinaryWord.test(label))
}

const ordinaryWord =
  /^(?:|to|from|in|of|at|by|on|for|with|as|is|it|a|an|i|q|id|and|or|not|no|yes|up|do|if|my|use|new|all|any|set|get|value|name|type|data|input|text|please|question|issue|problem|service)$/i

function formatWords(shape: JsonSchema): string[] {
  const items = typeof shape.items === 'object' && !Array.isArray(shape.items) ? shape.items : {}
  const format = findFormat(shape) ?? findFormat(items)
  return format ? [format.noun] : []
}

/** The places whose phrase is in the text and not part of another one's. */
function mostTelling(
  places: readonly DeclaredPlace[],
  { phrasesOf, isExact }: (typeof tiers)[number],
  text: string,
  exactText: string,
): DeclaredPlace[] {
  const found = places.flatMap((place) => {
    const said = phrasesOf(place)
      .map((phrase) => (isExact ? phrase : normalise(phrase)))
      .filter((phrase) => phrase.trim() !== '' && (isExact ? exactText : text).includes(unspaced(phrase)))
    const longest = said.reduce((a, b) => (b.length > a.length ? b : a), '')
    return longest === '' ? [] : [{ place, longest }]
  })
  return found
    .filter(
      ({ longest }) => !found.some((other) => other.longest !== longest && other.longest.includes(longest)),
    )
    .map(({ place }) => place)
}

/** A phrase without the spaces around it, where its script has none between words. */
function unspaced(phrase: string): string {
  return unspacedScript.test(phrase) ? phrase.trim() : phrase
}

/** Lower-case singular words surrounded by spaces, so that only whole words match. */
function normalise(text: string): string {
  const words = text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  return ` ${words.map((word) => makeSingular(word) ?? word).join(' ')} `
}
