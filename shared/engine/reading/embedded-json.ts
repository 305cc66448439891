import { readJsonText } from '../core/json-value.ts'
import { readArguments } from './read-arguments.ts'

/**
 * The object or list in a JSON string, or undefined. Checked like arguments: no repeated or prototype keys, no lost
 * digits, and not too deep.
 */
export function readEmbeddedJson(text: string): unknown {
  if (!/^\s*[[{]/.test(text) || readJsonText(text) === undefined) return undefined
  const reading = readArguments(`{"value": ${text}}`)
  return reading.ok && reading.repairs.length === 0 ? reading.value.value : undefined
}
