import { withoutHidden } from '../../shared/words/hidden-marks.ts'
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

/** Turns `reply_to` or `replyTo` into `Reply to`. */
export function labelOf(name: string): string {
  const words = name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/[_\-.]+/g, ' ')
    .trim()
  return capitalise(words.toLowerCase())
}

export function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
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
