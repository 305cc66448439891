import { AskbackError, failureOf } from './askback-error.ts'

/** The same stream, ending with a sentence if the connection is lost; whoever reads it decides what is tried then. */
export function withSentences<Part>(stream: ReadableStream<Part>): ReadableStream<Part> {
  const reader = stream.getReader()
  return new ReadableStream<Part>(
    {
      async pull(controller) {
        const { done, value } = await reader.read().catch(lost)
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}

function lost(cause: unknown): never {
  if (cause instanceof AskbackError) throw cause
  throw failureOf('disconnected')
}
