import type { ChatMessage } from '../../../shared/engine/models/protocol/model-client.ts'
import type { HistoryEntry, LedgerWrite } from './loaded-turn.ts'
import { textForModel } from './user-message.ts'

/** The earlier turns and the input of this one, as the model reads them. */
export interface ModelHistory {
  messages: ChatMessage[]
  input: string
}

/**
 * Turns stored messages into what the model reads. The last one is the input. Writes whose run left no message are
 * put before it as the calls they were, so that nobody does them again for want of knowing.
 */
export function modelHistoryOf(
  history: readonly HistoryEntry[],
  lostWrites: readonly LedgerWrite[],
): ModelHistory {
  const last = history.at(-1)
  return {
    messages: [...history.slice(0, -1).flatMap(modelMessagesOf), ...doneMessages(lostWrites)],
    input: last?.role === 'user' ? textForModel(last.parts) : '',
  }
}

function modelMessagesOf(entry: HistoryEntry): ChatMessage[] {
  if (entry.role === 'assistant') return entry.modelMessages ?? []
  return [{ role: 'user', content: textForModel(entry.parts) }]
}

/** Writes of a run that left no message, as the calls they were. */
export function doneMessages(writes: readonly LedgerWrite[]): ChatMessage[] {
  return writes.flatMap(callMessages)
}

function callMessages(write: LedgerWrite, index: number): ChatMessage[] {
  const id = `done${String(index).padStart(5, '0')}`
  return [
    {
      role: 'assistant',
      content: null,
      tool_calls: [
        {
          id,
          type: 'function',
          function: { name: write.toolName, arguments: JSON.stringify(write.arguments) },
        },
      ],
    },
    { role: 'tool', tool_call_id: id, content: outcomeText(write) },
  ]
}

function outcomeText({ status, result }: LedgerWrite): string {
  if (status === 'succeeded')
    return JSON.stringify((result as { data?: unknown } | null)?.data ?? { done: true })
  return JSON.stringify({
    ok: false,
    error: 'The run was stopped while this was on its way: it may or may not have been carried out.',
  })
}
