/** What the user, a new connection or the clock decided about an open item. */
export interface Decision {
  /** `resume`: whatever of connection and wait is open. */
  type: 'input' | 'approval' | 'connection' | 'wait' | 'skip' | 'resume'
  /** Of an approval its `approvalId`: names what was asked; what is asked by now may be something else. */
  itemId?: string | undefined
  toolCallId?: string | undefined
  values?: Record<string, unknown> | undefined
  /** Of a connection: a write is asked about before it goes on. */
  asksFirst?: boolean | undefined
  decision?: 'approve' | 'deny' | 'draft'
  input?: Record<string, unknown> | undefined
  reason?: string | undefined
}
