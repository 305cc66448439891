import { parseExactJson } from '../core/exact-json.ts'
import { isObject } from '../core/json-value.ts'
import type { ArgumentsReading, UnreadableArguments } from './arguments-reading.ts'
import { readObject } from './object-text.ts'
import { readSingleObject } from './single-object.ts'
import { readString } from './string-text.ts'
import { countMembers, isTooLarge } from './text-outside-strings.ts'
import { maxDepth, maxLength, maxValues, surveyValue } from './value-limits.ts'

/** With more repeated names, comparing them is not worth it. */
const maxRepeated = 100

const tooLarge = `the arguments have more than ${maxLength} characters, ${maxValues} values or ${maxDepth} levels`

/** A text that is encoded more often was not encoded by mistake. */
const maxEncodings = 3

/**
 * Reads the raw arguments of a tool call: JSON, or a text with exactly one reading as an object (code fence, BOM,
 * comments, trailing or doubled commas, single quotes, bare keys, Python's literals, raw line breaks, bad escapes,
 * extra closers, double encoding, prose around one object). Each repair is reported. A number that a double would change
 * is the text of its digits. Nothing is ever completed, dropped or guessed: a text that was cut, or has several readings, is refused with the reason.
 *
 * `finishReason` is the model's; with `length` every unreadable text counts as cut.
 *
 * @example
 * readArguments('{"city": "Paris",}')
 * // => { ok: true, value: { city: 'Paris' }, repairs: [{ path: '', rule: 'trailing_comma' }] }
 * @example
 * readArguments('{"city": "Paris", "text": "See you tom').ok
 * // => false
 */
export function readArguments(raw: string, options: { finishReason?: string } = {}): ArgumentsReading {
  const reading = read(raw, maxEncodings)
  if (reading.ok || options.finishReason !== 'length') return reading
  if (reading.reason === 'cut' || reading.reason === 'blank') return reading
  if (reading.reason === 'too_large' || reading.reason === 'forbidden_key') return reading
  return cut('the text ends before it can be read')
}

function read(raw: string, encodings: number): ArgumentsReading {
  if (raw.length > maxLength || isTooLarge(raw)) return { ok: false, reason: 'too_large', message: tooLarge }
  let parsed: unknown
  try {
    parsed = parseExactJson(raw)
  } catch {
    return readText(raw, encodings)
  }
  if (isObject(parsed)) return checkParsed(raw, parsed)
  if (typeof parsed === 'string') return decode(parsed, encodings)
  if (parsed === null) return { ok: false, reason: 'blank', message: 'the arguments are null' }
  const [only] = Array.isArray(parsed) && parsed.length === 1 ? parsed : []
  const item = isObject(only) ? checkParsed(raw, only) : undefined
  const partial = item?.ok ? { partial: { value: item.value, unclosed: [] } } : {}
  return { ok: false, reason: 'not_an_object', message: 'the arguments are not an object', ...partial }
}

/** Finds what JSON.parse lets through: repeated keys, prototype keys, sizes. */
function checkParsed(raw: string, value: Record<string, unknown>): ArgumentsReading {
  const survey = surveyValue(value)
  if (survey.fault) return { ok: false, ...survey.fault }
  const repeated = countMembers(raw) - survey.members
  if (repeated === 0) return { ok: true, value, repairs: [] }
  if (repeated > maxRepeated)
    return { ok: false, reason: 'ambiguous', message: 'the same names are given again and again' }
  const object = readObject(raw, raw.indexOf('{'))
  return object.ok
    ? repaired(object.value, object.rules)
    : { ok: false, reason: object.reason, message: object.message }
}

/** Reads a text that is not JSON. */
function readText(raw: string, encodings: number): ArgumentsReading {
  const unmarked = raw.trimStart().replace(/^[\u200b\ufeff]+/, '')
  const text = unmarked.trim()
  if (text === '') return { ok: false, reason: 'blank', message: 'there are no arguments' }
  const rules = /^\s*[\u200b\ufeff]/.test(raw) ? ['byte_order_mark'] : []
  if (/^[ \t\r\n]*[^\S \t\r\n\ufeff]|[^\S \t\r\n][ \t\r\n]*$/.test(raw)) rules.push('odd_blank')

  const [fence = ''] = /^`{3,}\w*\s*(?=["'])/.exec(text) ?? []
  if (fence !== '') rules.push('code_fence')
  const quoted = text.slice(fence.length, fence !== '' && text.endsWith('```') ? -3 : undefined).trimEnd()
  if (/^["']/.test(quoted)) {
    const outer = readString(quoted, 0, quoted[0] as string)
    if (outer.state === 'cut') return cut('the text ends inside a quoted text')
    if (outer.state === 'closed' && outer.end === quoted.length)
      return decode(outer.value, encodings, [...rules, ...outer.rules])
  }

  const object = readSingleObject(text)
  if (object.ok) return repaired(object.value, [...rules, ...object.rules])
  return object
}

/** Reads a text that was a JSON string; `rules` are the repairs around it. */
function decode(text: string, encodings: number, rules: string[] = []): ArgumentsReading {
  if (encodings === 0)
    return { ok: false, reason: 'not_an_object', message: 'the arguments are encoded too often' }
  const inner = read(text, encodings - 1)
  if (!inner.ok) return inner
  const innerRules = inner.repairs.map(({ rule }) => rule)
  // A backslash that is not an escape in either text belongs to a lost quote or letter.
  if (rules.includes('bad_escape') && innerRules.includes('bad_escape'))
    return { ok: false, reason: 'unreadable', message: 'a backslash has two readings' }
  return repaired(inner.value, [...rules, 'double_encoding', ...innerRules])
}

function repaired(value: Record<string, unknown>, rules: string[]): ArgumentsReading {
  return { ok: true, value, repairs: [...new Set(rules)].map((rule) => ({ path: '', rule })) }
}

function cut(message: string): UnreadableArguments {
  return { ok: false, reason: 'cut', message, partial: { value: {}, unclosed: [[]] } }
}
