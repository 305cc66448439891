import { clipText } from '../core/clip-text.ts'
import type { JsonSchema } from '../core/json-schema.ts'
import { unspacedScript } from '../core/unspaced-scripts.ts'

/** Descriptions of other people's tools may be of any length; the first sentence is near the start. */
const readCharacters = 1000
const mostCharacters = 100
/** A mark after a word, before a capital: not after `e.g.` and `St.`. */
const sentenceEnd = /(?<=\p{L}{3}|[\d)\]"'%])[.!?](?= ["'([]?\p{Lu})|[。！？]/u

/** Marks of Markdown and tags of HTML; whatever else stands in angle brackets stands for a value. */
const markup = /<\/?(?:a|b|br|code|div|em|i|li|ol|p|pre|span|strong|u|ul)\b[^<>]*>|\*\*|`/gi

/** The first sentence of a description, without its full stop; empty if there is none. */
export function firstSentence({ description = '' }: JsonSchema): string {
  const [paragraph = ''] = description
    .slice(0, readCharacters)
    .trim()
    .split(/\n\s*\n/)
  const text = paragraph
    .replace(markup, '')
    .replace(/\[([^\]]*)\]\([^)]*\)?/g, '$1')
    .replace(/^\W*(?:optional|required)\b\W*/i, '')
    .replace(/\s+/g, ' ')
    .trim()
  const [first = '', second = ''] = text.split(sentenceEnd)
  // "Deprecated." says nothing of the value.
  const isWord = !/\s/.test(first) && !unspacedScript.test(first)
  const sentence = isWord && second !== '' ? second : first
  return clipAtWord(sentence.trim().replace(/[.!?:;,]$/, ''))
}

function clipAtWord(text: string): string {
  const clipped = clipText(text, mostCharacters)
  if (clipped === text) return text
  const whole = clipped.slice(0, -1).replace(/(?<=.{60})\s\S*$/s, '')
  return `${whole.replace(/\s\([^()]{0,15}$/, '').replace(/[\s,;:(]+$/, '')}…`
}
