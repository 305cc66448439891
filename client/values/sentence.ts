import { withoutHidden } from '../../shared/words/hidden-marks.ts'
import { capitalise } from './capitalise.ts'
import { jsonText } from './json-text.ts'

/** The prefix of the protocol's questions. */
const mark = /^\s*Question:\s*/

/** A sentence without that prefix, as people read it. */
export function withoutMark(sentence: string): string {
  return withoutHidden(sentence.replace(mark, ''))
}

/** A sentence shortened for a heading; the full text is shown below it. */
export function shorten(sentence: string, most = 300): string {
  return sentence.length > most ? `${[...sentence.slice(0, most)].slice(0, -1).join('')} …` : sentence
}

/** The same with what is in the middle left out: a result often ends with the word that says what was done. */
export function shortenWithin(sentence: string, most = 240): string {
  if (sentence.length <= most) return sentence
  const half = Math.floor(most / 2)
  return `${[...sentence.slice(0, half)].slice(0, -1).join('')} … ${[...sentence.slice(-half)].slice(1).join('')}`
}

/** Turns `reply_to` or `replyTo` into `Reply to`. */
export function labelOf(name: string): string {
  const words = name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/[_\-.]+/g, ' ')
    .trim()
  return capitalise(words.toLowerCase())
}

/** A value on one line: lists with commas, texts as they are. */
export function showValue(value: unknown): string {
  if (value === undefined || value === null || value === '') return '–'
  if (Array.isArray(value) && value.every(isPlain)) {
    return value.length === 0 ? '–' : value.map(showValue).join(', ')
  }
  return isPlain(value) ? String(value) : jsonText(value, 0)
}

/** Whether a value is neither a list nor an object. */
export function isPlain(value: unknown): boolean {
  return typeof value !== 'object' || value === null
}
