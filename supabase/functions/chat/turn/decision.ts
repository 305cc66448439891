import type { Remembered } from '../../../../shared/api/permission.ts'
import type { ApprovedBy, DecidedBy } from '../../../../shared/engine/transcript/entry.ts'

/** What the user, a new connection or the clock decided about an open item. */
export interface Decision {
  /** `resume`: a connection or a wait, whichever is open. */
  type: 'input' | 'approval' | 'connection' | 'wait' | 'skip' | 'resume'
  /** For an approval, its `approvalId`: identifies the question, because the current one may be different. */
  itemId?: string | undefined
  toolCallId?: string | undefined
  values?: Record<string, unknown> | undefined
  /** For a connection: a write asks before it continues. */
  asksFirst?: boolean | undefined
  decision?: 'approve' | 'deny' | 'draft'
  input?: Record<string, unknown> | undefined
  reason?: string | undefined
  /** A standing permission that fits the call. */
  remember?: Remembered | undefined
  /** Where it was decided away from the conversation. */
  by?: DecidedBy
  /** The user id of whoever decides it as one of a group. */
  approverId?: string
  /** Who has approved it, as the database has found. */
  approvedBy?: ApprovedBy[] | undefined
}
