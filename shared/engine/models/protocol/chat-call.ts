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
import { SilenceWatch } from './silence-watch.ts'

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
  const watch = new SilenceWatch(call.timeoutMs, call.signal)
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

/** Reads events into a draft. */
class EventReader {
  draft: ReplyDraft = startDraft()
  /** The stream has said that it is over. */
  done = false
  failure: CallFailure | undefined
  private readonly host: string
  private emit: ChatCall['emit']
  private readonly parser = createParser({ onEvent: ({ data }) => this.take(data) })
  /** The last line so far, and whether it has ended. */
  private line = ''
  private hasEnded = false

  constructor({ host, emit }: Pick<ChatCall, 'host' | 'emit'>) {
    this.host = host
    this.emit = emit
  }

  feed(text: string): void {
    const start = text.lastIndexOf('\n', text.length - 2) + 1
    this.line = start > 0 || this.hasEnded ? text.slice(start) : this.line + text
    this.hasEnded = text.endsWith('\n')
    this.parser.feed(text)
  }

  /** From now on nothing is part of the answer: what comes goes to a draft of its own. */
  endAnswer(): void {
    this.emit = undefined
    this.draft = startDraft()
  }

  /** Whether the last line may be an event that one line break ends, from a server that sends nothing more. */
  mayClose(): boolean {
    return this.hasEnded && this.line.startsWith('data:')
  }

  /** Takes such an event. */
  closeEvent(): void {
    const data = /^data:(.*)\r?\n$/.exec(this.line)?.[1]?.trim()
    this.line = ''
    if (data === '[DONE]' || isObject(readJsonText(data ?? ''))) this.parser.feed('\n')
  }

  private take(data: string): void {
    if (this.done || this.failure !== undefined) return
    if (data === '[DONE]') this.done = true
    else this.failure = addEvent(this.draft, data, this.host, this.emit)
  }
}

/** Bytes of one read. */
const longestRead = 16 * 1024
/** Rooms of streams that are over, for the next ones: to make one takes 6 µs of each call in `bench:engine`. */
const freeRooms: Uint8Array<ArrayBuffer>[] = []
const mostFreeRooms = 16

function takeRoom(): Uint8Array<ArrayBuffer> {
  return freeRooms.pop() ?? new Uint8Array(longestRead)
}

/** Only at the end of a body: whoever reads it otherwise may still have it. */
function giveRoomBack({ buffer }: Uint8Array): void {
  if (freeRooms.length < mostFreeRooms && buffer.byteLength === longestRead)
    freeRooms.push(new Uint8Array(buffer as ArrayBuffer))
}

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
  const reading = new StreamReading(stream, watch, call)
  const { events } = reading
  try {
    // Node loses fetch's abort when garbage is collected while a body stalls, so no read is waited for alone.
    const all = reading.readAll()
    const isQuiet = await watch.orAborted(reading.quiet.orOver(all))
    const { draft } = events
    if (isQuiet && !events.done && events.failure === undefined && !draft.usage) {
      throwIfBroken(draft)
      return { ...draft, lateUsage: reading.awaitUsage(all) }
    }
  } catch (cause) {
    // Whatever comes after the finish reason is not needed.
    if (events.draft.finishReason === '') {
      reading.cancel()
      throw cause
    }
  } finally {
    reading.stop()
  }
  if (reading.whole !== undefined) return readBody(reading.whole, call)
  if (events.done) reading.drain()
  else reading.cancel()
  return endEvents(events, call)
}

/** What is read of a body, and what has come so far. */
class StreamReading {
  readonly events: EventReader
  readonly quiet: QuietWatch
  /** The beginning of a body that is not a stream of events. */
  whole: string | undefined
  private readonly reader: ReadableStreamBYOBReader
  private readonly watch: SilenceWatch
  private readonly meter = meterBody(bodyLimits.modelStream)
  private buffer = takeRoom()
  private isOver = false
  /** The answer is complete, and only its usage is awaited. */
  private isLate = false

  constructor(stream: ReadableStream<Uint8Array>, watch: SilenceWatch, call: ChatCall) {
    this.reader = openReader(stream)
    this.watch = watch
    this.events = new EventReader(call)
    this.quiet = new QuietWatch(this.events, quietMs)
  }

  async readAll(): Promise<void> {
    const { reader, events, watch, meter, quiet } = this
    const decoder = new TextDecoder()
    let isFirst = true
    while (!this.isOver && !events.done && events.failure === undefined && !this.hasLateUsage()) {
      const part = await reader.read(this.buffer)
      if (this.isOver) return
      meter.check(part)
      watch.seen()
      if (part.done) {
        if (part.value) giveRoomBack(part.value)
        return
      }
      const text = decoder.decode(part.value, { stream: true })
      this.buffer = new Uint8Array(part.value.buffer)
      if (isFirst && text.trim() !== '') {
        isFirst = false
        if (/^\s*[{[]/.test(text)) this.whole = ''
      }
      if (this.whole !== undefined) {
        this.whole += text
        continue
      }
      events.feed(text)
      if (!this.isLate && !events.done) quiet.heard()
    }
  }

  /** The usage that comes after the answer, until it is there, the stream is over, or the time is. */
  async awaitUsage(all: Promise<void>): Promise<Pick<ReplyDraft, 'usage' | 'cost'> | undefined> {
    this.isLate = true
    this.events.endAnswer()
    let timer: ReturnType<typeof setTimeout> | undefined
    const time = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, lateUsageMs)
    })
    await Promise.race([all.catch(() => {}), time])
    clearTimeout(timer)
    this.isOver = true
    this.cancel()
    const { usage, cost } = this.events.draft
    return usage && { usage, cost }
  }

  /** Nothing more is read, except late usage. */
  stop(): void {
    this.quiet.stop()
    if (!this.isLate) this.isOver = true
  }

  cancel(): void {
    this.reader.cancel().catch(() => {})
  }

  /** Waits in the background for the end of a finished stream, so that its connection can be reused. */
  drain(): void {
    const { reader } = this
    const cancel = () => reader.cancel().catch(() => {})
    const timer = setTimeout(cancel, 1000)
    reader
      .read(this.buffer)
      .then(
        ({ done, value }) => {
          if (!done) cancel()
          else if (value) giveRoomBack(value)
        },
        () => {},
      )
      .finally(() => clearTimeout(timer))
  }

  private hasLateUsage(): boolean {
    return this.isLate && this.events.draft.usage !== undefined
  }
}

/**
 * Some servers keep the connection open after the answer, with signs of life or without. Text, calls and thoughts after a
 * finish reason show that the answer goes on.
 */
class QuietWatch {
  private readonly events: EventReader
  private readonly afterMs: number
  private timer: ReturnType<typeof setTimeout> | undefined
  private size = -1
  private end: ((isQuiet: boolean) => void) | undefined

  constructor(events: EventReader, afterMs: number) {
    this.events = events
    this.afterMs = afterMs
  }

  /** Resolves with false when all is read, or with true when nothing has been added to a finished answer for long enough. */
  orOver(all: Promise<void>): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.end = resolve
      all.then(() => resolve(false), reject)
    })
  }

  /** Something has come; it may be part of the answer. */
  heard(): void {
    const { draft } = this.events
    if (draft.size === this.size && this.timer !== undefined) return
    this.size = draft.size
    this.stop()
    if (draft.finishReason !== '' || this.events.mayClose())
      this.timer = setTimeout(expire, this.afterMs, this)
  }

  /** Deno takes time to clear nothing, and this happens at each token. */
  stop(): void {
    if (this.timer !== undefined) clearTimeout(this.timer)
    this.timer = undefined
  }

  expire(): void {
    const { events } = this
    events.closeEvent()
    // If nothing is finished yet, the watch for silence decides.
    this.timer = undefined
    if (events.done || events.failure !== undefined || events.draft.finishReason !== '') this.end?.(true)
  }
}

function expire(watch: QuietWatch): void {
  watch.expire()
}

function readWholeStream(text: string, call: ChatCall): ReplyDraft {
  const events = new EventReader(call)
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
