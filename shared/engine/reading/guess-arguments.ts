import { isObject } from '../core/json-value.ts'
import { guess } from './dialect.ts'
import { readObject } from './object-text.ts'
import { argumentsOfEnvelope, readSingleObject } from './single-object.ts'
import { readString } from './string-text.ts'
import { surveyValue } from './value-limits.ts'

/** Longer texts are not worth a guess: a long text in them is easily misread. */
const maxGuessLength = 20_000

type Guesser = (text: string) => Record<string, unknown> | undefined

/** From the surest to the boldest; each reads the whole text or gives up. */
const guessers: readonly Guesser[] = [
  onlyItem,
  escapedObject,
  repeatedObject,
  envelope,
  brokenObject,
  keywordArguments,
  withoutBraces,
]

/**
 * The one careful guess at what an unreadable (never a cut) text was meant to say, or undefined.
 * It may be proposed, and is never run.
 */
export function guessArguments(text: string): Record<string, unknown> | undefined {
  if (text.length > maxGuessLength) return undefined
  for (const guesser of guessers) {
    const value = guesser(text)
    if (value && !surveyValue(value).fault) return value
  }
  return undefined
}

/** `[{…}]`, also with a fence inside the brackets. */
function onlyItem(text: string): Record<string, unknown> | undefined {
  const inner = /^\s*[[{]\s*(?:`{3,}\w*\s*)?(\{[\s\S]*\})\s*(?:`{3,}\s*)?[\]}]\s*$/.exec(text)?.[1]
  if (inner === undefined) return undefined
  const object = readObject(inner, 0)
  return object.ok && object.end === inner.length ? object.value : undefined
}

/** `{\"a\": 1}`: JSON in a JSON string that lost its quotes. */
function escapedObject(text: string): Record<string, unknown> | undefined {
  if (!/^\{\s*\\"/.test(text)) return undefined
  const quoted = `"${text}"`
  const outer = readString(quoted, 0, '"')
  if (outer.state !== 'closed' || outer.end !== quoted.length) return undefined
  const object = readSingleObject(outer.value)
  return object.ok ? object.value : undefined
}

/** The same object twice. */
function repeatedObject(text: string): Record<string, unknown> | undefined {
  const start = text.indexOf('{')
  const first = start === -1 ? undefined : readObject(text, start)
  if (!first?.ok || !text.slice(first.end).includes('{')) return undefined
  const second = readSingleObject(text.slice(first.end))
  return second.ok && JSON.stringify(second.value) === JSON.stringify(first.value) ? first.value : undefined
}

/** A whole tool call inside tags, a fence, a list or prose. */
function envelope(text: string): Record<string, unknown> | undefined {
  const start = text.indexOf('{')
  const object = start === -1 ? undefined : readObject(text, start)
  if (!object?.ok || text.slice(object.end).includes('{')) return undefined
  return argumentsOfEnvelope(object.value)
}

function brokenObject(text: string): Record<string, unknown> | undefined {
  const object = readSingleObject(text, guess)
  return object.ok && Object.keys(object.value).length > 0 ? object.value : undefined
}

/** `a=1, b='x'` and `f(a=1)`. */
function keywordArguments(text: string): Record<string, unknown> | undefined {
  const call = /^\s*[\w.]+\(([\s\S]*)\)\s*$/.exec(text)
  const pairs = call?.[1] ?? text
  return /^\s*\w+\s*=(?!=)/.test(pairs) ? brokenObject(`{${pairs}\n}`) : undefined
}

/** `"a": 1, "b": 2`, with at most the closing brace. */
function withoutBraces(text: string): Record<string, unknown> | undefined {
  if (!/^\s*["']\w+["']\s*:/.test(text)) return undefined
  const closed = `{${text}`
  return brokenObject(/\}\s*$/.test(text) ? closed : `${closed}\n}`)
}

/** The item of a valid list that holds exactly one object. */
export function guessFromList(list: unknown[]): Record<string, unknown> | undefined {
  const [item] = list
  if (list.length !== 1 || !isObject(item) || surveyValue(item).fault) return undefined
  return argumentsOfEnvelope(item) ?? item
}
