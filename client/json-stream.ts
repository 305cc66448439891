import type { UIMessageChunk } from 'ai'
import type { ChatAnswer, ChatMessage } from './message.ts'

/** A JSON answer as the stream that it would have been. Until streams are there. */
export function streamAnswer({ message, status, pending }: ChatAnswer): ReadableStream<UIMessageChunk> {
  void pending
  void status
  return new ReadableStream({
    start(controller) {
      for (const chunk of listChunks(message)) controller.enqueue(chunk)
      controller.close()
    },
  })
}

function listChunks({ id, parts, metadata }: ChatMessage): UIMessageChunk[] {
  const steps = parts.flatMap((part, index) => chunksOf(part as never, `text-${index}`))
  return [
    { type: 'start', messageId: id, messageMetadata: metadata },
    ...steps,
    { type: 'finish-step' },
    { type: 'finish', messageMetadata: metadata },
  ]
}

function chunksOf(part: Record<string, never> & { type: string }, id: string): UIMessageChunk[] {
  const { type, toolCallId, input, output, errorText, approval } = part
  if (type === 'step-start') return [{ type: 'start-step' }]
  if (type === 'text')
    return [
      { type: 'text-start', id },
      { type: 'text-delta', id, delta: part.text as unknown as string },
      { type: 'text-end', id },
    ]
  if (type.startsWith('data-')) return [part as never]
  if (!type.startsWith('tool-')) return []
  const toolName = type.slice('tool-'.length)
  const call: UIMessageChunk = {
    type: 'tool-input-available',
    toolCallId: toolCallId as unknown as string,
    toolName,
    input,
  }
  switch (part.state as unknown as string) {
    case 'output-available':
      return [call, { type: 'tool-output-available', toolCallId, output } as never]
    case 'output-error':
      return [call, { type: 'tool-output-error', toolCallId, errorText } as never]
    case 'approval-requested':
      return [
        call,
        {
          type: 'tool-approval-request',
          toolCallId,
          approvalId: (approval as unknown as { id: string }).id,
        } as never,
      ]
    case 'output-denied':
      return [call, { type: 'tool-output-denied', toolCallId } as never]
    default:
      return [call]
  }
}
