import type { ChatMessage } from '../models/protocol/model-client.ts'

/** Writes of turns that are left out which are told, the newest ones. */
const mostLines = 20

/**
 * What stands in the place of turns that are left out; `lines`: what their writes did, oldest first. Two messages, because
 * some models' templates accept no two of the same role in a row.
 */
export function leftOutMessages(turns: number, lines: readonly string[]): ChatMessage[] {
  const newest = lines.slice(-mostLines)
  const which = newest.length < lines.length ? `the newest ${newest.length} of ${lines.length} things` : 'all'
  const done =
    newest.length === 0
      ? ''
      : `\nWhat was done there (${which}):\n${newest.map((line) => `- ${line}`).join('\n')}`
  const count = turns === 1 ? 'one message' : `${turns} messages`
  const text = `(Not from the user: the beginning of this conversation is left out here, ${count} of the user with your answers, because the conversation is longer than you can read at once. Never say that something was not said there: if it matters, ask the user.${done})`
  return [
    { role: 'user', content: text },
    { role: 'assistant', content: 'I will.' },
  ]
}
