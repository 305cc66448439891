import { parsePath, valueAt } from '../core/json-path.ts'
import type { Correction } from '../core/tool-error.ts'
import type { ChatMessage } from '../models/protocol/model-client.ts'
import { readCorrectedCall } from '../wording/feedback-text.ts'

/** Every slot text that the corrected calls of a conversation have shown, so that none is ever sent as a value. */
export function slotsShown(messages: readonly ChatMessage[]): Set<string> {
  const shown = new Set<string>()
  const sent = new Map<string, string>()
  for (const message of messages) {
    if (message.role === 'assistant') {
      for (const call of message.tool_calls ?? []) {
        if (call.type === 'function') sent.set(call.id, call.function.arguments)
      }
    } else if (message.role === 'tool' && typeof message.content === 'string') {
      const raw = sent.get(message.tool_call_id) ?? ''
      // A text in angle brackets that the model itself had sent was kept, it is no slot.
      for (const text of bracketed(readCorrectedCall(message.content)))
        if (!raw.includes(text)) shown.add(text)
    }
  }
  return shown
}

/** The slot texts of one corrected call. */
export function slotsOf(correction: Correction | undefined): string[] {
  if (!correction) return []
  return correction.open
    .map((path) => valueAt(correction.arguments, parsePath(path) ?? []))
    .filter((slot) => typeof slot === 'string')
}

function bracketed(value: unknown): string[] {
  if (typeof value === 'string') return /^<[\s\S]+>$/.test(value) ? [value] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(bracketed)
}
