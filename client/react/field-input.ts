import { jsonText } from '../json-text.ts'
import { toLocalInput } from '../local-time.ts'
import type { FormSchema } from '../message.ts'
import { bareAddress, splitList } from '../typed-list.ts'
import { hasDecimalComma, readNumber, showTypedNumber } from '../typed-number.ts'
import type { FormField } from './form-fields.ts'

/** What stands in the input for a value: numbers as they are written here, moments in the reader's zone. */
export function showInput({ kind }: FormField, value: unknown): string {
  if (value === undefined || value === null) return ''
  const show = (one: unknown) => (typeof one === 'number' ? showTypedNumber(one) : String(one))
  if (kind === 'list') return Array.isArray(value) ? value.map(show).join(', ') : String(value)
  if (kind === 'json' || kind === 'items') return jsonText(value)
  if (kind === 'datetime-local') return toLocalInput(String(value))
  return kind === 'number' ? show(value) : String(value)
}

/**
 * The value of what was typed; undefined for nothing. What shows `before` is that value: an input may show less of it than
 * there is. A text that is no number or no JSON stays a text, and fails the schema.
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
    case 'json':
      try {
        return JSON.parse(text)
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
  // A comma that stands in a number ends none, unless a blank follows.
  const isDecimal = /number/.test(type) && hasDecimalComma()
  return splitList(isDecimal ? text.replace(/,\s/g, ';') : text, isDecimal ? ';\n' : undefined).map(
    (item) => readNumber(item) ?? item,
  )
}
