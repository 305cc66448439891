import type { Pending } from '../../../../shared/engine/transcript/answer.ts'
import type { Entry } from '../../../../shared/engine/transcript/entry.ts'
import { approvalId } from '../entries/approval-id.ts'

/** A question as clients are shown it; an approval says which one it is. */
export type PendingCall = Pending & { approvalId?: string }

/** Gives each approval its id. */
export function bindApprovals(pending: readonly Pending[], entries: readonly Entry[]): PendingCall[] {
  return pending.map((wait) => {
    if (wait.type !== 'approval') return wait
    const question = entries.findLast(
      (entry) => entry.type === 'question' && entry.toolCallId === wait.toolCallId,
    )
    return question?.type === 'question' ? { ...wait, approvalId: approvalId(question) } : wait
  })
}
