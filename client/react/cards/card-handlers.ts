import type { Pending } from '../../api/message.ts'
import type { ApprovalDecision } from '../../askback.ts'

/** The handlers for cards. Each rejects with a sentence if the action was not accepted. */
export interface CardHandlers {
  onAnswer(pending: Pending, values: Record<string, unknown>): Promise<unknown>
  onDecide(pending: Pending, decision: ApprovalDecision): Promise<unknown>
  onSkip(pending: Pending): Promise<unknown>
  /** The settings page, for connections. */
  settingsHref: string
}
