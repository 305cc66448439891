import type { StreamPart } from './stream-part.ts'

/** Bytes that wait for a client that reads slowly, at most; then its socket is cut, and it may resume. */
const mostWaiting = 16 * 1024 * 1024
/** Proxies close what is silent for longer; a comment is no part. */
const keepAliveMs = 10_000

/** An answer as server-sent events, while it is written. */
export interface EventStream {
  readonly response: Response
  /** Aborts when nobody reads any more. */
  readonly gone: AbortSignal
  write(parts: readonly StreamPart[]): void
  close(): void
  /** Ends it as a lost connection does: a clean end means that all was said. */
  cut(): void
}

/** Opens a stream; what is written is on its way at once. */
export function openEventStream(): EventStream {
  const encoder = new TextEncoder()
  const gone = new AbortController()
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  const end = () => {
    clearInterval(timer)
    controller = undefined
  }
  const body = new ReadableStream<Uint8Array>(
    {
      start(opened) {
        controller = opened
      },
      cancel() {
        end()
        gone.abort()
      },
    },
    new ByteLengthQueuingStrategy({ highWaterMark: mostWaiting }),
  )
  const enqueue = (text: string) => {
    if (!controller) return
    controller.enqueue(encoder.encode(text))
    if ((controller.desiredSize ?? 0) > 0) return
    cut('The client does not read what it is sent.')
    gone.abort()
  }
  const cut = (why: string) => {
    controller?.error(new Error(why))
    end()
  }
  const timer = setInterval(() => enqueue(': keep-alive\n\n'), keepAliveMs)
  return {
    response: new Response(body, {
      headers: {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-cache, no-transform',
        'x-accel-buffering': 'no',
        'x-vercel-ai-ui-message-stream': 'v1',
      },
    }),
    gone: gone.signal,
    write: (parts) => enqueue(parts.map((part) => `data: ${JSON.stringify(part)}\n\n`).join('')),
    close() {
      enqueue('data: [DONE]\n\n')
      controller?.close()
      end()
    },
    cut: () => cut('What was to be sent could not be written.'),
  }
}
