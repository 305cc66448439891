import type { Pending } from '../../api/message.ts'

/**
 * The approvals that can be decided at once: what was done already, or may have been, is decided by itself, and so is what
 * others approve, or what was declined in an app.
 */
export function decidedTogether(pending: readonly Pending[]): Pending[] {
  return pending.filter(
    ({ type, reason, approvers, declinedIn }) =>
      type === 'approval' &&
      reason !== 'unknown' &&
      reason !== 'repetition' &&
      approvers === undefined &&
      declinedIn === undefined,
  )
}
