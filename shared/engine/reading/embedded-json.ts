import { readArguments } from './read-arguments.ts'

/**
 * The object or list that a text holds as JSON, or undefined. It is checked as arguments are: without repeated or
 * prototype keys and lost digits, and not too deep.
 */
export function readEmbeddedJson(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    JSON.parse(text)
  } catch {
    return undefined
  }
  const reading = readArguments(`{"value": ${text}}`)
  return reading.ok && reading.repairs.length === 0 ? reading.value.value : undefined
}
