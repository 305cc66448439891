import { isObject } from '../../../../shared/engine/core/json-value.ts'
import type { GivenMessage } from './earlier-messages.ts'
import { filesOf } from './given-parts.ts'

/** The words of a message, sent as text or as parts. */
export function wordsOf(content: unknown): string {
  if (typeof content === 'string') return content.trim()
  if (!Array.isArray(content)) return ''
  return content
    .map((part) => (isObject(part) && part.type === 'text' ? String(part.text ?? '') : ''))
    .filter((text) => text !== '')
    .join('\n')
    .trim()
}

/**
 * Identifies a repeated request: what the user has typed and attached so far, message by message. Text that front ends
 * and libraries add around it (a clock in the system prompt, a trailing space) does not count.
 */
export function typedTurns(given: readonly GivenMessage[]): { words: string; files: unknown[] }[] {
  return given
    .filter(({ role }) => role === 'user')
    .map(({ content }) => ({ words: wordsOf(content).replace(/\s+/g, ' '), files: filesOf(content) }))
}
