import { createParser } from 'eventsource-parser'
import { CallFailure, failureOfErrorObject, failureOfException, failureOfResponse } from './call-failure.ts'
import type { ModelEvent } from './model-client.ts'
import { addToDraft, type ReplyDraft, startDraft, type WireCompletion } from './reply-draft.ts'
import { SilenceWatch } from './silence-watch.ts'

export interface ChatCall {
  url: string
  headers: Record<string, string>
  /** JSON text. */
  body: string
  /** Host and port, for error texts. */
  host: string
  /** Longest silence of the server in milliseconds: until the answer begins, and within a stream. */
  timeoutMs: number
  fetch: typeof fetch
  signal?: AbortSignal
  emit?: (event: ModelEvent) => void
}

/**
 * One request to one model. Plain or streamed is decided by what the server answers, not by what was asked:
 * some answer a stream with JSON. Throws `CallFailure`, or the signal's reason.
 */
export async function callChat(call: ChatCall): Promise<ReplyDraft> {
  call.signal?.throwIfAborted()
  const watch = new SilenceWatch(call.timeoutMs, call.signal)
  try {
    const response = await call.fetch(call.url, {
      method: 'POST',
      headers: call.headers,
      body: call.body,
      signal: watch.signal,
    })
    watch.seen()
    if (!response.ok) throw failureOfResponse(response.status, response.headers, await response.text())
    if (response.headers.get('content-type')?.includes('text/event-stream') && response.body !== null) {
      return await readStream(response.body, watch, call)
    }
    return readBody(await response.text(), call)
  } catch (cause) {
    if (cause instanceof CallFailure) throw cause
    call.signal?.throwIfAborted()
    if (watch.signal.aborted) {
      throw new CallFailure('silent', `${call.host} was silent for ${call.timeoutMs} ms`, { cause })
    }
    throw failureOfException(cause, call.host)
  } finally {
    watch.stop()
  }
}

function readBody(text: string, call: ChatCall): ReplyDraft {
  let completion: WireCompletion
  try {
    completion = JSON.parse(text)
  } catch (cause) {
    throw new CallFailure('busy', `${call.host} answered something that is no JSON`, { cause })
  }
  if (typeof completion !== 'object' || completion === null) {
    throw new CallFailure('busy', `${call.host} answered something that is no completion`)
  }
  const draft = startDraft()
  const error = addToDraft(draft, completion, call.emit)
  if (error !== undefined) throw failureOfErrorObject(error)
  throwIfBroken(draft)
  return draft
}

async function readStream(
  stream: ReadableStream<Uint8Array>,
  watch: SilenceWatch,
  call: ChatCall,
): Promise<ReplyDraft> {
  const draft = startDraft()
  let done = false
  let failure: CallFailure | undefined
  const parser = createParser({
    onEvent({ data }) {
      if (done || failure !== undefined) return
      if (data === '[DONE]') done = true
      else failure = addEvent(draft, data, call)
    },
  })
  const reader = stream.getReader()
  const decoder = new TextDecoder()
  try {
    while (!done && failure === undefined) {
      const part = await reader.read()
      watch.seen()
      if (part.done) break
      parser.feed(decoder.decode(part.value, { stream: true }))
    }
  } catch (cause) {
    // What came after the finish reason is not needed.
    if (draft.finishReason === '') throw cause
  }
  if (failure !== undefined) {
    reader.cancel().catch(() => {})
    throw failure
  }
  if (done) drain(reader)
  if (!done && draft.finishReason === '') {
    throw new CallFailure('busy', `the stream of ${call.host} ended in the middle`)
  }
  throwIfBroken(draft)
  return draft
}

function addEvent(draft: ReplyDraft, data: string, call: ChatCall): CallFailure | undefined {
  let chunk: WireCompletion
  try {
    chunk = JSON.parse(data)
  } catch (cause) {
    return new CallFailure('busy', `the stream of ${call.host} has an unreadable chunk`, { cause })
  }
  if (typeof chunk !== 'object' || chunk === null) return undefined
  const error = addToDraft(draft, chunk, call.emit)
  return error === undefined ? undefined : failureOfErrorObject(error)
}

/** OpenRouter ends an answer that broke down with this reason. */
function throwIfBroken(draft: ReplyDraft): void {
  if (draft.finishReason === 'error') throw new CallFailure('busy', 'the model broke down while it answered')
}

/** Waits in the background for the end of a finished stream, so that its connection can be used again. */
function drain(reader: ReadableStreamDefaultReader<Uint8Array>): void {
  const cancel = () => reader.cancel().catch(() => {})
  const timer = setTimeout(cancel, 1000)
  reader
    .read()
    .then(
      ({ done }) => (done ? undefined : cancel()),
      () => {},
    )
    .finally(() => clearTimeout(timer))
}
