import { isObject } from '../../../../shared/engine/core/json-value.ts'
import type { GivenMessage } from './earlier-messages.ts'
import { readFilePart } from './given-parts.ts'

/** What a message says in words, whether it came as a text or in parts. */
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
 * What a request is known by when it comes again: what the user has typed and attached so far, message by message. What
 * front ends and libraries write of their own around it (a clock in the system prompt, a blank at the end) does not count.
 */
export function typedTurns(given: readonly GivenMessage[]): { words: string; files: unknown[] }[] {
  return given
    .filter(({ role }) => role === 'user')
    .map(({ content }) => ({ words: wordsOf(content).replace(/\s+/g, ' '), files: filesOf(content) }))
}

function filesOf(content: unknown): unknown[] {
  return Array.isArray(content) ? content.flatMap(readFilePart) : []
}
