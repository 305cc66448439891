import { createItemId } from '../../core/identifiers.ts'
import { isObject } from '../../core/json-value.ts'
import type { Call, Closed, QuestionEntry, Result } from '../../transcript/entry.ts'
import { canBeApproved, keptArguments, replaces } from '../../transcript/open-items.ts'
import { replyFor } from '../../transcript/server-form.ts'
import { append, type Run } from './run.ts'
import { goToOthers } from './sameness.ts'
import { stillWaiting } from './still-waiting.ts'

/** A question before it is asked. */
export type QuestionDraft = Omit<QuestionEntry, 'itemId' | 'intent' | 'askedAt' | 'expiresAt'>

/** Opens an item. Whatever is open for the same call or intent is closed. */
export function ask(run: Run, draft: QuestionDraft, asIntent?: number): QuestionEntry {
  const { clock, limits, state } = run
  const askedAt = clock.now()
  // A write that is not in the transcript is an intent of its own; a whole run has none.
  const newIntent = draft.toolCallId === '' ? 0 : state.nextIntent
  const intent = asIntent ?? state.calls.get(draft.toolCallId)?.call.intent ?? newIntent
  const expires = canBeApproved(draft) && !draft.outcomeUnknown
  for (const { question } of [...state.items.values()]) {
    if (replaces({ toolCallId: draft.toolCallId, intent }, question))
      close(
        run,
        question,
        yieldsTo(run, question, { ...draft, arguments: keptArguments(draft) }) ? 'yielded' : 'replaced',
      )
  }
  const waiting = stillWaiting(run, { toolCallId: draft.toolCallId, toolName: draft.toolName, intent })
  const { stillWaiting: _, approvers: __, ...anew } = draft
  // What its server was answered goes there once the call goes on.
  const asked = draft.server ? undefined : state.calls.get(draft.toolCallId)
  const reply = asked && replyFor(asked)
  const approvers = draft.kind === 'approval' ? run.specifications.get(draft.toolName)?.approvers : undefined
  const question: QuestionEntry = {
    ...anew,
    ...(reply ? { reply } : {}),
    stillWaiting: waiting.length > 0 ? waiting : undefined,
    approvers,
    itemId: createItemId(draft.toolCallId),
    intent,
    askedAt: new Date(askedAt).toISOString(),
    expiresAt: expires ? new Date(askedAt + limits.approvalMs).toISOString() : undefined,
  }
  append(run, question)
  return question
}

/** Whether an approval gives way to a call for other people. It may still be wanted, so it can be asked again. */
export function yieldsTo(
  { specifications }: Run,
  item: QuestionEntry,
  call: { toolCallId: string; toolName: string; arguments: unknown },
): boolean {
  const isOwn = item.toolCallId === call.toolCallId || item.toolName !== call.toolName
  if (isOwn || !canBeApproved(item) || item.outcomeUnknown || !isObject(call.arguments)) return false
  return goToOthers(specifications.get(item.toolName), keptArguments(item), call.arguments)
}

/** The same question, to be asked again. `since`: nobody was told what was done after it was first asked. */
export function draftOf({
  itemId: _,
  intent: __,
  askedAt,
  expiresAt: ___,
  changed: ____,
  ...draft
}: QuestionEntry): QuestionDraft {
  return { since: askedAt, ...draft }
}

/** Closes the item that a call continues, once the call has started; the entry comes before the call's result. */
export function closeContinued(
  run: Run,
  { continues, toolCallId, toolName, input }: Call,
  { status, tries }: Pick<Result, 'status' | 'tries'>,
): void {
  const item = continues === undefined ? undefined : run.state.items.get(continues)
  const ran = status === 'succeeded' || status === 'unknown' || (status === 'failed' && tries > 0)
  if (!item || !ran) return
  const yields = yieldsTo(run, item.question, { toolCallId, toolName, arguments: input })
  close(run, item.question, yields ? 'yielded' : 'replaced')
}

/** Closes an item without a decision. */
export function close(run: Run, { itemId, toolCallId }: QuestionEntry, as: Closed['as']): void {
  if (run.state.items.has(itemId)) append(run, { type: 'closed', itemId, toolCallId, as })
}
