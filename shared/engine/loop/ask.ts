import { createItemId } from '../core/identifiers.ts'
import type { Closed, Question } from '../transcript/entry.ts'
import { append, type Run } from './run.ts'

/** A question before it is asked. */
export type QuestionDraft = Omit<Question, 'itemId' | 'intent' | 'askedAt' | 'expiresAt'>

/** Opens an item. Whatever is open of the same call or intent is closed by it. */
export function ask(run: Run, draft: QuestionDraft, asIntent?: number): Question {
  const { clock, limits, state } = run
  const askedAt = clock.now()
  const intent = asIntent ?? state.calls.get(draft.toolCallId)?.call.intent ?? 0
  const expires = draft.kind === 'approval' && !draft.uncertain
  for (const { question } of [...state.items.values()]) {
    const isSameIntent = intent > 0 && question.intent === intent
    if (question.toolCallId === draft.toolCallId || isSameIntent) close(run, question, 'replaced')
  }
  const question: Question = {
    ...draft,
    itemId: createItemId(draft.toolCallId),
    intent,
    askedAt: new Date(askedAt).toISOString(),
    ...(expires ? { expiresAt: new Date(askedAt + limits.approvalMs).toISOString() } : {}),
  }
  append(run, question)
  return question
}

/** Closes an item that nobody decided. */
export function close(run: Run, { itemId, toolCallId }: Question, as: Closed['as']): void {
  if (run.state.items.has(itemId)) append(run, { type: 'closed', itemId, toolCallId, as })
}
