import type { Entry, QuestionEntry } from '../../../../shared/engine/transcript/entry.ts'
import type { ClientDecision } from '../request/turn-request.ts'

/**
 * How many entries of a message a client that posts decisions already has: those before the first of these decisions, or
 * all if none of them was made. A tab that comes late has not seen what another tab's decision has led to.
 */
export function countShown(entries: readonly Entry[], decisions: readonly ClientDecision[]): number {
  const places = decisions.flatMap((decision) => {
    const asked = entries.findLastIndex((entry) => entry.type === 'question' && isAbout(entry, decision))
    if (asked < 0) return []
    const made = entries.findIndex(
      (entry, index) =>
        index > asked &&
        (entry.type === 'decision' || entry.type === 'closed') &&
        entry.itemId === decision.approvalId,
    )
    return made < 0 ? [] : [made]
  })
  return Math.min(entries.length, ...places)
}

function isAbout(question: QuestionEntry, { toolCallId, approvalId: asked }: ClientDecision): boolean {
  return question.kind === 'approval' && question.toolCallId === toolCallId && question.itemId === asked
}
