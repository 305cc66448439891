import { isLongNumber, parseExactJson } from '../../../shared/engine/core/exact-json.ts'
import { bareAddress, splitList } from '../../../shared/words/typed-list.ts'
import type { FormSchema } from '../../api/message.ts'
import { jsonText } from '../../values/json-text.ts'
import { toLocalInput } from '../../values/local-time.ts'
import { hasDecimalComma, readNumber, showTypedNumber } from '../../values/typed-number.ts'
import type { FormField } from './form-fields.ts'

/** The input text for a value: numbers in the reader's format, moments in the reader's time zone. */
export function showInput({ kind }: FormField, value: unknown): string {
  if (value === undefined || value === null) return ''
  const show = (one: unknown) =>
    typeof one === 'number' || (typeof one === 'string' && isLongNumber(one))
      ? showTypedNumber(one)
      : String(one)
  if (kind === 'list') return Array.isArray(value) ? value.map(show).join(', ') : String(value)
  if (kind === 'json' || kind === 'items' || kind === 'several') return jsonText(value)
  if (kind === 'datetime-local') return toLocalInput(String(value))
  return kind === 'number' ? show(value) : String(value)
}

/**
 * Parses what was typed; undefined if empty. If it displays the same as `before`, returns `before`, because an input may
 * show less than the value. Text that is not a number or JSON stays text, and then fails the schema.
 */
export function readInput(field: FormField, typed: string, before?: unknown): unknown {
  const { kind, schema } = field
  if (before !== undefined && typed === showInput(field, before)) return before
  const text = kind === 'long' || kind === 'password' ? typed : typed.trim()
  if (kind === 'check') return typed === 'true'
  if (text === '') return undefined
  switch (kind) {
    case 'number':
      return readNumber(text) ?? text
    case 'list':
      return readItems(schema.items, text)
    case 'email':
      return bareAddress(text)
    case 'choice':
      return schema.enum?.find((choice) => String(choice) === text) ?? text
    case 'datetime-local':
      return Number.isNaN(Date.parse(text)) ? text : new Date(text).toISOString()
    case 'items':
    case 'several':
    case 'json':
      try {
        return parseExactJson(text)
      } catch {
        return text
      }
    default:
      return text
  }
}

function readItems(items: FormSchema | undefined, text: string): unknown[] {
  const type = String(items?.type)
  if (!/number|integer/.test(type)) {
    const texts = splitList(text)
    return items?.format === 'email' ? texts.map(bareAddress) : texts
  }
  // A comma within a number does not end an item, unless a space follows.
  const isDecimal = /number/.test(type) && hasDecimalComma()
  return splitList(isDecimal ? text.replace(/,\s/g, ';') : text, isDecimal ? ';\n' : undefined).map(
    (item) => readNumber(item) ?? item,
  )
}
