import { isObject, readJsonText } from '../../core/json-value.ts'

/**
 * JSON for a value that stands in a tag, where every value is text. If the parameter may be a text or something else, the
 * value is not a text if it can be read otherwise, as in the parsers of vLLM and llama.cpp. All other values are converted
 * where the call is prepared.
 *
 * @example
 * writeUntyped('42', ['string', 'integer']) // => '42'
 * writeUntyped('2 dollars', ['string', 'integer']) // => '"2 dollars"'
 */
export function writeUntyped(text: string, types: readonly string[]): string {
  const value = types.length > 1 ? readJsonText(text) : undefined
  return value !== undefined && types.includes(typeOf(value)) ? JSON.stringify(value) : JSON.stringify(text)
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (isObject(value)) return 'object'
  return Number.isInteger(value) ? 'integer' : typeof value
}
