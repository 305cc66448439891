import type { Pending } from '../../api/message.ts'

/**
 * The approvals that can be decided at once: what was done already, or may have been, is decided by itself, and so is what
 * others approve.
 */
export function decidedTogether(pending: readonly Pending[]): Pending[] {
  return pending.filter(
    ({ type, reason, approvers }) =>
      type === 'approval' && reason !== 'unknown' && reason !== 'repetition' && approvers === undefined,
  )
}
