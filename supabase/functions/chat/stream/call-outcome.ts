import type { MessagePart } from '../answer/part-list.ts'
import type { StreamPart } from './stream-part.ts'

/** The outcome of a call, for a client that knows the call; undefined while it is running. */
export function callOutcome(part: MessagePart): StreamPart | undefined {
  const toolCallId = String(part.toolCallId)
  switch (part.state) {
    case 'approval-requested':
      return approvalRequest(part)
    case 'output-available':
      return { type: 'tool-output-available', toolCallId, output: part.output }
    case 'output-error':
      return { type: 'tool-output-error', toolCallId, errorText: String(part.errorText) }
    case 'output-denied':
      return { type: 'tool-output-denied', toolCallId }
    default:
      return undefined
  }
}

/** The approval that was asked for a call, whatever its outcome. */
export function approvalRequest({ toolCallId, approval }: MessagePart): StreamPart | undefined {
  if (!approval) return undefined
  const { id } = approval as { id: string }
  return { type: 'tool-approval-request', approvalId: id, toolCallId: String(toolCallId) }
}
