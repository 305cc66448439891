import { clipText } from '../core/clip-text.ts'
import type { JsonSchema } from '../core/json-schema.ts'

/** Descriptions of other people's tools may be of any length; the first sentence is near the start. */
const readCharacters = 1000
const mostCharacters = 100
/** A mark after a word, before a capital: not after `e.g.` and `St.`. */
const sentenceEnd = /(?<=\p{L}{3}|[\d)\]"'%])[.!?](?= ["'([]?\p{Lu})|[。！？]/u

/** The first sentence of a description, without its full stop; empty if there is none. */
export function firstSentence({ description = '' }: JsonSchema): string {
  const [paragraph = ''] = description
    .slice(0, readCharacters)
    .trim()
    .split(/\n\s*\n/)
  const text = paragraph
    .replace(/<[^<>]*>|\*\*|`/g, '')
    .replace(/^\W*(?:optional|required)\b\W*/i, '')
    .replace(/\s+/g, ' ')
    .trim()
  const [sentence = ''] = text.split(sentenceEnd)
  return clipText(sentence.replace(/[.!?:;,]$/, ''), mostCharacters)
}
