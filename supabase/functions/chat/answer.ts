import type { AgentResponse } from '../../../shared/engine/loop/agent-response.ts'
import type { RunView, StoredAnswer, UiMessage } from './loaded-turn.ts'

/** The JSON answer of `POST chat`, `/answer`, `/approval` and `/resume`. */
export interface ChatAnswer extends StoredAnswer {
  message: UiMessage
}

/** The part of the engine's response that clients see. */
export function storedAnswerOf(
  run: { conversationId: string; runId: string },
  { status, text, toolsUsed, usage, pending }: AgentResponse,
): StoredAnswer {
  return {
    conversationId: run.conversationId,
    runId: run.runId,
    status,
    text,
    toolsUsed,
    usage,
    ...(pending?.length ? { pending } : {}),
  }
}

/** The members of an answer in the order in which people read it. */
export function chatAnswerOf(answer: StoredAnswer, message: UiMessage): ChatAnswer {
  const { conversationId, runId, status, text, toolsUsed, usage, pending } = answer
  return {
    conversationId,
    runId,
    status,
    text,
    message,
    toolsUsed,
    usage,
    ...(pending?.length ? { pending } : {}),
  }
}

/** The answer of a run that has ended, told again: as it was, but for what is no longer open. */
export function answerOfView(view: RunView): ChatAnswer {
  const { conversationId, runId, messageId, status, pending } = view
  const kept = view.answer ?? {
    conversationId,
    runId,
    status: 'failed',
    text: 'This was stopped before there was an answer.',
    toolsUsed: [],
    usage: { inputTokens: 0, outputTokens: 0, modelCalls: 0 },
  }
  const answer: StoredAnswer = {
    ...kept,
    // A run that waited for the clock is stopped by the next message.
    status: status === 'stopped' ? 'failed' : kept.status,
    ...(kept.pending ? { pending } : {}),
  }
  const message = view.message ?? {
    id: messageId,
    role: 'assistant',
    parts: [{ type: 'step-start' }, { type: 'text', text: answer.text, state: 'done' }],
  }
  return chatAnswerOf(answer, message)
}
