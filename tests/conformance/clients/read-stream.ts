import type { StreamPart } from '../../../supabase/functions/chat/stream/stream-part.ts'
import type { AiModule, ClientMessage, ClientPart } from './versions.ts'

/** What a client makes of a stream: its message, and what it would not take. */
export interface ReadMessage {
  message: ClientMessage
  problems: string[]
}

/** Reads parts as `supabase.functions.invoke` clients do: the SSE parser with the strict schema, then the reader. */
export async function readStream(
  ai: AiModule,
  parts: readonly StreamPart[],
  message?: ClientMessage,
): Promise<ReadMessage> {
  const text = parts.map((part) => `data: ${JSON.stringify(part)}\n\n`).join('')
  return await readSse(ai, new Blob([`${text}: keep-alive\n\ndata: [DONE]\n\n`]).stream(), message)
}

export async function readSse(
  ai: AiModule,
  stream: ReadableStream<Uint8Array>,
  message?: ClientMessage,
): Promise<ReadMessage> {
  const problems: string[] = []
  const parsed = ai.parseJsonEventStream({ stream, schema: ai.uiMessageChunkSchema })
  const chunks = parsed.pipeThrough(
    new TransformStream({
      transform(result, controller) {
        if (result.success) controller.enqueue(result.value)
        else problems.push(`refused: ${String(result.error).slice(0, 300)}`)
      },
    }),
  )
  let last: ClientMessage = message ?? { id: '', role: 'assistant', parts: [] }
  const held = message && structuredClone(message)
  const onError = (error: unknown) => problems.push(`error: ${(error as Error).message}`)
  for await (const next of ai.readUIMessageStream({ message: held, stream: chunks, onError })) last = next
  return { message: structuredClone(last), problems }
}

/** A part with what its state means: older outputs stay in it unseen, and a stream does not say who approved. */
export function shown(part: ClientPart): ClientPart {
  const { type, text, state, toolCallId, input, output, errorText, approval, id, data } = part
  const { approved: _, ...asked } = approval ?? { id: '' }
  return JSON.parse(
    JSON.stringify({
      type,
      ...(type === 'text' ? { text, state } : {}),
      ...(toolCallId === undefined ? {} : { toolCallId, state, input }),
      ...(state === 'output-available' ? { output } : {}),
      ...(state === 'output-error' ? { errorText } : {}),
      ...(approval ? { approval: { id: asked.id } } : {}),
      ...(type.startsWith('data-') ? { id, data } : {}),
    }),
  )
}
