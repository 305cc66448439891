/** Maximum bytes waiting for a slow client; then its connection is cut, and it may resume. */
const mostWaiting = 16 * 1024 * 1024
/** The same for all clients of this process, which has 256 MB on Supabase: then those with the most are cut. */
const mostWaitingTogether = 48 * 1024 * 1024
/** Bytes that may wait for a moment, even for a fast client. */
const usuallyWaiting = 256 * 1024
/** Proxies close connections that are silent for longer; a comment is not a part. */
const usualKeepAliveMs = 10_000

/** An answer as server-sent events, while it is being written. */
export interface EventStream {
  readonly response: Response
  /** Aborts when nobody is reading any more. */
  readonly gone: AbortSignal
  /** Resolves when it is over, to whether all of it was read. */
  readonly delivered: Promise<boolean>
  write(parts: readonly object[]): void
  close(): void
  /** Ends it like a lost connection: a clean end means that everything was said. */
  cut(): void
}

/** What is waiting for one client. */
interface Waiting {
  bytes: number
  leave(): void
}
/** Streams of this process that are not over. */
const open = new Set<Waiting>()

/**
 * Opens a stream; what is written is sent immediately. `headers`: those of its protocol; `keepAliveMs`: between comments
 * that keep it alive.
 */
export function openEventStream(
  headers: Record<string, string> = {},
  keepAliveMs = usualKeepAliveMs,
): EventStream {
  const encoder = new TextEncoder()
  const gone = new AbortController()
  const queue: Uint8Array[] = []
  let taken = 0
  let isWanted = false
  let isClosing = false
  let isOver = false
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  let deliver = (_isRead: boolean) => {}
  const delivered = new Promise<boolean>((resolve) => {
    deliver = resolve
  })
  const end = (isRead: boolean) => {
    if (isOver) return
    isOver = true
    clearInterval(timer)
    open.delete(waiting)
    queue.length = 0
    deliver(isRead)
  }
  const waiting: Waiting = {
    bytes: 0,
    leave() {
      cut('The client does not read what it is sent.')
      gone.abort()
    },
  }
  const cut = (why: string) => {
    if (!isOver) controller?.error(new Error(why))
    end(false)
  }
  /** Passes on the next chunk as soon as somebody wants it. */
  const pass = () => {
    const bytes = queue[taken]
    if (!isWanted || isOver) return
    if (bytes) {
      isWanted = false
      taken++
      waiting.bytes -= bytes.byteLength
      if (taken === queue.length) {
        queue.length = 0
        taken = 0
      }
      controller?.enqueue(bytes)
    } else if (isClosing) {
      controller?.close()
      end(true)
    }
  }
  const enqueue = (text: string) => {
    if (isOver || isClosing) return
    const bytes = encoder.encode(text)
    queue.push(bytes)
    waiting.bytes += bytes.byteLength
    pass()
    if (waiting.bytes > mostWaiting) waiting.leave()
    else if (waiting.bytes > usuallyWaiting) cutSlowest()
  }
  const body = new ReadableStream<Uint8Array>(
    {
      start(opened) {
        controller = opened
      },
      pull() {
        isWanted = true
        pass()
      },
      cancel() {
        end(false)
        gone.abort()
      },
    },
    { highWaterMark: 0 },
  )
  open.add(waiting)
  const timer = setInterval(() => enqueue(': keep-alive\n\n'), keepAliveMs)
  return {
    response: new Response(body, {
      headers: {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-cache, no-transform',
        'x-accel-buffering': 'no',
        ...headers,
      },
    }),
    gone: gone.signal,
    delivered,
    write: (parts) => enqueue(parts.map((part) => `data: ${JSON.stringify(part)}\n\n`).join('')),
    close() {
      enqueue('data: [DONE]\n\n')
      isClosing = true
      pass()
    },
    cut: () => cut('What was to be sent could not be written.'),
  }
}

/** Cuts those with the most, until the others have room. */
function cutSlowest(): void {
  let together = 0
  for (const { bytes } of open) together += bytes
  for (const waiting of [...open].sort((a, b) => b.bytes - a.bytes)) {
    if (together <= mostWaitingTogether) return
    together -= waiting.bytes
    waiting.leave()
  }
}
