import type { ArgumentsReading } from './arguments-reading.ts'

/** Reads the raw arguments of a tool call. */
export function readArguments(raw: string, _options: { finishReason?: string } = {}): ArgumentsReading {
  try {
    const value: unknown = JSON.parse(raw)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return { ok: true, value: value as Record<string, unknown>, repairs: [] }
    }
    return { ok: false, reason: 'not_an_object', message: 'the arguments are not an object' }
  } catch {
    return { ok: false, reason: 'unreadable', message: 'the arguments are not valid JSON' }
  }
}
