import type { Pending } from '../../api/message.ts'
import type { ApprovalDecision } from '../../askback.ts'

/** The handlers for cards. Each rejects with a sentence if the action was not accepted. */
export interface CardHandlers {
  onAnswer(pending: Pending, values: Record<string, unknown>): Promise<unknown>
  onDecide(pending: Pending, decision: ApprovalDecision): Promise<unknown>
  onSkip(pending: Pending): Promise<unknown>
  /**
   * The address of a page with this item alone, which its card leads to in a frame of another site. Without it, or if it
   * rejects, that is the page in the frame itself.
   */
  pageOf?: ((pending: Pending) => Promise<string>) | undefined
  /** Takes a standing permission back on the receipt of the approval that it came with. */
  onTakeBack?: ((permissionId: string) => Promise<unknown>) | undefined
  /** The settings page, for connections. */
  settingsHref: string
  /** The page with `<WithoutAsking>`, which receipts of what nobody was asked about lead to. */
  withoutAskingHref?: string | undefined
}
