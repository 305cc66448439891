import { createParser } from 'eventsource-parser'
import { parseExactJson } from '../../core/exact-json.ts'
import { isObject, readJsonText } from '../../core/json-value.ts'
import { BodyLimitReached, bodyLimits, meterBody, readText } from '../../core/outside-body.ts'
import {
  CallFailure,
  isWebPage,
  readErrorObject,
  readErrorResponse,
  readException,
  webPageInstead,
} from './call-failure.ts'
import type { ModelEvent } from './model-client.ts'
import { findOtherApi } from './other-api.ts'
import { addToDraft, type ReplyDraft, startDraft, type WireCompletion } from './reply-draft.ts'
import { type SilenceWatch, watchSilence } from './silence-watch.ts'

export interface ChatCall {
  url: string
  headers: Record<string, string>
  /** Writes the JSON text. With pictures it has many megabytes, so nothing holds it once it is sent. */
  writeBody(): string
  /** Host and port, for error texts. */
  host: string
  /** Longest silence of the server in milliseconds: until the answer starts, and within a stream. */
  timeoutMs: number
  fetch: typeof fetch
  signal?: AbortSignal
  emit?: (event: ModelEvent) => void
}

/**
 * A key and a conversation are only sent where the operator said. Node's fetch copies the body of every request that could
 * follow a redirect or ask a window (https://fetch.spec.whatwg.org/#http-network-or-cache-fetch, step 5), which is slow.
 */
const stayPut = { redirect: 'error', window: null } as const

/**
 * One request to one model. The server's answer decides whether it is read plain or streamed, not the request:
 * some servers answer a stream with JSON. Throws `CallFailure`, or the signal's reason.
 */
export async function callChat(call: ChatCall): Promise<ReplyDraft> {
  call.signal?.throwIfAborted()
  const watch = watchSilence(call.timeoutMs, call.signal)
  try {
    const sent = call.fetch(call.url, {
      method: 'POST',
      headers: call.headers,
      body: call.writeBody(),
      signal: watch.signal,
      ...stayPut,
    })
    const response = await watch.orAborted(sent)
    watch.seen()
    if (!response.ok) throw await watch.orAborted(readRefusal(response, call))
    if (response.headers.get('content-type')?.includes('text/event-stream') && response.body !== null) {
      return await readStream(response.body, watch, call)
    }
    const text = await watch.orAborted(readText(response, bodyLimits.modelAnswer))
    if (isWebPage(response.headers, text)) throw webPageInstead(call.host, response.status)
    return readBody(text, call)
  } catch (cause) {
    if (cause instanceof CallFailure) throw cause
    call.signal?.throwIfAborted()
    if (watch.signal.aborted) {
      throw new CallFailure('silent', `${call.host} was silent for ${call.timeoutMs} ms`, {
        cause,
        errorType: 'timeout',
      })
    }
    if (cause instanceof BodyLimitReached) {
      watch.abort()
      throw new CallFailure('silent', `the answer of ${call.host} did not end`, {
        cause,
        errorType: cause.code,
      })
    }
    throw readException(cause, call.host)
  } finally {
    watch.stop()
  }
}

/** A page that says "not found" means a wrong address; any other one comes from a proxy in front of the server. */
async function readRefusal(response: Response, { host }: ChatCall): Promise<CallFailure> {
  const { status, headers } = response
  const text = await readText(response, bodyLimits.modelAnswer)
  if (status === 404 && isWebPage(headers, text)) return webPageInstead(host, status)
  return readErrorResponse(status, headers, text)
}

/** The end of a stream, also behind a completion that is not one. */
const endMark = /\s*data:\s*\[DONE\]\s*$/

/** A body that was read whole, whatever its content type says: a completion, an error, or events. */
function readBody(text: string, call: ChatCall): ReplyDraft {
  let completion: WireCompletion
  try {
    completion = parseExactJson(text.replace(endMark, '')) as WireCompletion
  } catch (cause) {
    // A proxy removed or changed the content type of a stream.
    if (/^\s*(?:data|event|id|retry|):/.test(text)) return readWholeStream(text, call)
    // Newline-delimited JSON: a chunk a line.
    const lines = text
      .replace(endMark, '')
      .split(/\s*\n\s*/)
      .filter((line) => line.trim() !== '')
    if (lines.length > 1 && lines.every((line) => isObject(readJsonText(line))))
      return readWholeStream(lines.map((line) => `data: ${line}\n\n`).join(''), call)
    throw new CallFailure('busy', `${call.host} answered with something that is not JSON`, {
      cause,
      errorType: 'not_json',
    })
  }
  if (typeof completion !== 'object' || completion === null) {
    throw new CallFailure('busy', `${call.host} answered with something that is not a completion`, {
      errorType: 'not_json',
    })
  }
  const otherApi = findOtherApi(completion, call.host)
  if (otherApi !== undefined) throw otherApi
  const draft = startDraft()
  const error = addToDraft(draft, completion, call.emit)
  if (error !== undefined) throw readErrorObject(error)
  throwIfBroken(draft)
  return draft
}

interface EventReader {
  draft: ReplyDraft
  /** From now on nothing is part of the answer: what comes goes to a draft of its own. */
  endAnswer(): void
  /** The stream has said that it is over. */
  done: boolean
  failure: CallFailure | undefined
  feed(text: string): void
  /** Takes a last event that one line break ends, from a server that sends nothing more. */
  closeEvent(): void
  /** Whether the last line may be such an event. */
  mayClose(): boolean
}

function startEvents({ emit, ...call }: ChatCall): EventReader {
  let isOver = false
  const parser = createParser({
    onEvent({ data }) {
      if (reader.done || reader.failure !== undefined) return
      if (data === '[DONE]') reader.done = true
      else reader.failure = addEvent(reader.draft, data, call.host, isOver ? undefined : emit)
    },
  })
  /** The last line so far, and whether it has ended. */
  let line = ''
  let hasEnded = false
  const reader: EventReader = {
    draft: startDraft(),
    done: false,
    failure: undefined,
    endAnswer() {
      isOver = true
      reader.draft = startDraft()
    },
    feed(text) {
      const start = text.lastIndexOf('\n', text.length - 2) + 1
      line = start > 0 || hasEnded ? text.slice(start) : line + text
      hasEnded = text.endsWith('\n')
      parser.feed(text)
    },
    mayClose: () => hasEnded && line.startsWith('data:'),
    closeEvent() {
      const data = /^data:(.*)\r?\n$/.exec(line)?.[1]?.trim()
      line = ''
      if (data === '[DONE]' || isObject(readJsonText(data ?? ''))) parser.feed('\n')
    },
  }
  return reader
}

/** Bytes of one read. */
const longestRead = 16 * 1024

/** A reader that fills the room it is given, where it can: otherwise Deno makes 64 KiB of room for every read. */
function openReader(stream: ReadableStream<Uint8Array>): ReadableStreamBYOBReader {
  try {
    return stream.getReader({ mode: 'byob' })
  } catch {
    // Another reader ignores the room.
    return stream.getReader() as unknown as ReadableStreamBYOBReader
  }
}

/** Milliseconds without a word, after which an answer that has given its finish reason is complete. */
const quietMs = 2000
/** Milliseconds that its usage is awaited after that. */
const lateUsageMs = 10_000

async function readStream(
  stream: ReadableStream<Uint8Array>,
  watch: SilenceWatch,
  call: ChatCall,
): Promise<ReplyDraft> {
  const events = startEvents(call)
  const reader = openReader(stream)
  const decoder = new TextDecoder()
  let buffer = new Uint8Array(longestRead)
  let isOver = false
  /** The answer is complete, and only its usage is awaited. */
  let isLate = false
  /** The beginning of a body that is not a stream of events. */
  let whole: string | undefined
  const meter = meterBody(bodyLimits.modelStream)
  const quiet = watchQuiet(events, quietMs)

  /** The usage that comes after the answer, until it is there, the stream is over, or the time is. */
  async function awaitUsage(all: Promise<void>): Promise<Pick<ReplyDraft, 'usage' | 'cost'> | undefined> {
    let timer: ReturnType<typeof setTimeout> | undefined
    const time = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, lateUsageMs)
    })
    await Promise.race([all.catch(() => {}), time])
    clearTimeout(timer)
    isOver = true
    reader.cancel().catch(() => {})
    const { usage, cost } = events.draft
    return usage && { usage, cost }
  }

  async function readAll(): Promise<void> {
    let isFirst = true
    while (!isOver && !events.done && events.failure === undefined && !(isLate && events.draft.usage)) {
      const part = await reader.read(buffer)
      if (isOver) return
      meter.check(part)
      watch.seen()
      if (part.done) return
      const text = decoder.decode(part.value, { stream: true })
      buffer = new Uint8Array(part.value.buffer)
      if (isFirst && text.trim() !== '') {
        isFirst = false
        if (/^\s*[{[]/.test(text)) whole = ''
      }
      if (whole !== undefined) {
        whole += text
        continue
      }
      events.feed(text)
      if (!isLate && !events.done) quiet.heard()
    }
  }

  try {
    // Node loses fetch's abort when garbage is collected while a body stalls, so no read is waited for alone.
    const all = readAll()
    const isQuiet = await watch.orAborted(quiet.orOver(all))
    const { draft } = events
    if (isQuiet && !events.done && events.failure === undefined && !draft.usage) {
      throwIfBroken(draft)
      isLate = true
      events.endAnswer()
      return { ...draft, lateUsage: awaitUsage(all) }
    }
  } catch (cause) {
    // Whatever comes after the finish reason is not needed.
    if (events.draft.finishReason === '') {
      reader.cancel().catch(() => {})
      throw cause
    }
  } finally {
    quiet.stop()
    if (!isLate) isOver = true
  }
  if (whole !== undefined) return readBody(whole, call)
  if (events.done) drain(reader, buffer)
  else reader.cancel().catch(() => {})
  return endEvents(events, call)
}

interface QuietWatch {
  /** Resolves with false when all is read, or with true when nothing has been added to a finished answer for long enough. */
  orOver(all: Promise<void>): Promise<boolean>
  /** Something has come; it may be part of the answer. */
  heard(): void
  stop(): void
}

/**
 * Some servers keep the connection open after the answer, with signs of life or without. Text, calls and thoughts after a
 * finish reason show that the answer goes on.
 */
function watchQuiet(events: EventReader, afterMs: number): QuietWatch {
  let timer: ReturnType<typeof setTimeout> | undefined
  let size = -1
  let end: (() => void) | undefined
  function expire(): void {
    events.closeEvent()
    // If nothing is finished yet, the watch for silence decides.
    timer = undefined
    if (events.done || events.failure !== undefined || events.draft.finishReason !== '') end?.()
  }
  return {
    orOver: (all) =>
      new Promise((resolve, reject) => {
        end = () => resolve(true)
        all.then(() => resolve(false), reject)
      }),
    heard() {
      const { draft } = events
      if (draft.size === size && timer !== undefined) return
      size = draft.size
      // Deno takes time to clear nothing, and this happens at each token.
      if (timer !== undefined) clearTimeout(timer)
      timer = undefined
      if (draft.finishReason !== '' || events.mayClose()) timer = setTimeout(expire, afterMs)
    },
    stop: () => clearTimeout(timer),
  }
}

function readWholeStream(text: string, call: ChatCall): ReplyDraft {
  const events = startEvents(call)
  events.feed(text)
  return endEvents(events, call)
}

/** The draft at the end of a stream; throws if the stream failed or ended too early. */
function endEvents(events: EventReader, call: ChatCall): ReplyDraft {
  const { draft } = events
  if (events.failure !== undefined) throw events.failure
  // Some servers omit the empty line after their last event; half an event after the end is not needed.
  if (!events.done) events.feed('\n\n')
  if (events.failure !== undefined && draft.finishReason === '') throw events.failure
  if (!events.done && draft.finishReason === '') {
    throw new CallFailure('busy', `the stream of ${call.host} ended in the middle`, {
      errorType: 'stream_cut',
    })
  }
  throwIfBroken(draft)
  return draft
}

function addEvent(
  draft: ReplyDraft,
  data: string,
  host: string,
  emit: ChatCall['emit'],
): CallFailure | undefined {
  if (data === '') return undefined
  let chunk: WireCompletion
  try {
    // Digits count in calls (`tool_calls`, `function_call`); to look for long numbers in each token takes time.
    chunk = data.includes('_call') ? parseExactJson(data) : JSON.parse(data)
  } catch (cause) {
    // Some servers end an event with one line break, which joins it to the next one.
    const lines = data.split('\n').filter((line) => line !== '[DONE]')
    if (lines.length > 1 && lines.every((line) => line.startsWith('{'))) {
      for (const line of lines) {
        const failure = addEvent(draft, line, host, emit)
        if (failure !== undefined) return failure
      }
      return undefined
    }
    return new CallFailure('busy', `the stream of ${host} has an unreadable chunk`, {
      cause,
      errorType: 'not_json',
    })
  }
  if (typeof chunk !== 'object' || chunk === null) return undefined
  const otherApi = findOtherApi(chunk, host)
  if (otherApi !== undefined) return otherApi
  const error = addToDraft(draft, chunk, emit)
  return error === undefined ? undefined : readErrorObject(error)
}

/** OpenRouter ends an answer that broke down with this reason; Anthropic and Z.ai one for which the window had no room. */
function throwIfBroken(draft: ReplyDraft): void {
  if (draft.finishReason === 'model_context_window_exceeded') {
    if (draft.text === '' && draft.calls.length === 0) throw readErrorObject({ code: draft.finishReason })
    draft.finishReason = 'length'
  }
  if (draft.finishReason === 'error') {
    throw new CallFailure('busy', 'the model broke down while it answered', { errorType: 'broke_down' })
  }
}

/** Waits in the background for the end of a finished stream, so that its connection can be reused. */
function drain(reader: ReadableStreamBYOBReader, room: Uint8Array<ArrayBuffer>): void {
  const cancel = () => reader.cancel().catch(() => {})
  const timer = setTimeout(cancel, 1000)
  reader
    .read(room)
    .then(
      ({ done }) => (done ? undefined : cancel()),
      () => {},
    )
    .finally(() => clearTimeout(timer))
}
