import type { ChatMessage } from '../models/model-client.ts'
import { toolMessage } from './transcript.ts'

/**
 * Earlier messages as every provider takes them: each tool call is followed by exactly one tool message, a tool
 * message without a call goes, an answer that never came is marked, and what system messages say is handed back for
 * the one system message of the run.
 */
export function healMessages(messages: readonly ChatMessage[]): { system: string[]; turns: ChatMessage[] } {
  const system: string[] = []
  const turns: ChatMessage[] = []
  messages.forEach((message, index) => {
    if (message.role === 'system' || message.role === 'developer') system.push(textOf(message.content))
    else if (message.role !== 'tool') {
      if (message.role === 'user' && turns.at(-1)?.role === 'tool') turns.push(interrupted)
      turns.push(message)
    }
    if (message.role !== 'assistant' || !message.tool_calls) return
    // Only the ones that follow: a provider may have used the same id in several rounds.
    const results = toolMessagesAfter(messages, index)
    for (const { id } of message.tool_calls) {
      const found = results.findIndex((result) => result.tool_call_id === id)
      turns.push(found < 0 ? lostResult(id) : (results.splice(found, 1)[0] as ChatMessage))
    }
  })
  return { system: system.filter((text) => text !== ''), turns }
}

function toolMessagesAfter(messages: readonly ChatMessage[], index: number) {
  const results: Extract<ChatMessage, { role: 'tool' }>[] = []
  for (const message of messages.slice(index + 1)) {
    if (message.role !== 'tool') break
    results.push(message)
  }
  return results
}

/** Some providers refuse a user message right after a tool message. */
const interrupted: ChatMessage = { role: 'assistant', content: '(interrupted)' }

/** JSON with `ok: false`, so that nobody takes the call for one that ran. */
function lostResult(id: string): ChatMessage {
  const error = 'No result was recorded; whether it was carried out is not known.'
  return toolMessage(id, JSON.stringify({ ok: false, error }))
}

function textOf(content: string | readonly { text: string }[]): string {
  return typeof content === 'string' ? content : content.map(({ text }) => text).join('\n')
}
