interface DecidableItem {
  toolCallId?: string
  approvalId?: string
}

type Decided = 'approve' | 'deny' | 'draft'

/** The body of `POST :id/approval` for a pending approval. */
export function decisionOn(asked: DecidableItem | undefined, decision: Decided, more: object = {}) {
  return { toolCallId: asked?.toolCallId, approvalId: asked?.approvalId, decision, ...more }
}
