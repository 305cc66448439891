import type { Entry, QuestionEntry } from '../../../../shared/engine/transcript/entry.ts'
import { openItems } from '../../../../shared/engine/transcript/open-items.ts'
import { openItemSchema, questionOf } from '../answer/open-item.ts'
import type { LoadedTurn } from './loaded-turn.ts'

/**
 * Decided questions that are not in the transcript: of a write whose process died before it could ask, of a message
 * that was cut off, and of an approval that has expired or given way to one for other people.
 */
export function findUnasked({ decided }: LoadedTurn, transcript: readonly Entry[]): QuestionEntry[] {
  if (decided.length === 0) return []
  const asked = new Set(openItems(transcript).map(({ itemId }) => itemId))
  return decided.flatMap((item) => {
    // What a later message has closed still looks open here.
    if (asked.has(item.itemId) && !item.expired) return []
    const { entry } = item
    const whole = openItemSchema.safeParse(item)
    const question = entry ?? (whole.success ? questionOf(whole.data) : undefined)
    if (!question) return []
    // The database's clock has closed it, whatever ours says.
    return [item.expired ? { ...question, expiresAt: question.askedAt } : question]
  })
}
