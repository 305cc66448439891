/** What the scripted model server answers to one request. Everything is optional: `{}` is an empty answer. */
export interface ModelServerReply {
  text?: string
  /** What a reasoning model thinks first, streamed only (`reasoning_content`). */
  thoughts?: string
  toolCalls?: ScriptedToolCall[]
  /** `null` leaves it out; by default `tool_calls` when there are some, else `stop`. */
  finishReason?: string | null
  /** `null` leaves it out; by default 20 tokens in, 10 out. */
  usage?: { prompt_tokens: number; completion_tokens: number } | null
  /** `choices: []`, as some gateways answer when a model breaks down. */
  noChoices?: boolean
  /** Anything but 200 answers OpenAI's error body instead, or `body`. */
  status?: number
  headers?: Record<string, string>
  /** The whole body as it is (an object becomes JSON), instead of a completion. */
  body?: unknown
  errorMessage?: string
  errorCode?: string
  /** Milliseconds before the answer begins. Rather give the script a function that awaits an event. */
  delayMs?: number
  /** Never answers; the connection stays open until the client or the server closes it. */
  hang?: boolean
  /**
   * Where the connection ends too early. `before-headers` and `mid-stream` destroy the socket;
   * `clean-mid-stream` closes it properly, as a proxy that gave up does. A client on Deno 2.9 repeats a request
   * that was cut before the headers by itself; a server on Deno 2.1 cannot destroy a socket.
   */
  cut?: 'before-headers' | 'mid-stream' | 'clean-mid-stream'
  /** How many chunks of a stream come through before `cut`, `hang` or `errorInStream`; default half of them (`hang`: 0). */
  afterChunks?: number
  /** An error event inside a stream; a plain request gets it as HTTP 500. */
  errorInStream?: { message: string; code?: string | number }
  /** Milliseconds between two pieces of a stream, as a model writes: for measurements, not for tests. */
  pauseMs?: number
  /** How a stream is cut into pieces. */
  fragments?: FragmentStyle
}

export interface ScriptedToolCall {
  /** Default `call_1`, `call_2` … counted per server; `null` leaves it out. */
  id?: string | null
  name: string
  /** Exactly what goes over the wire, so it may be broken JSON. */
  arguments: string
}

export interface FragmentStyle {
  /** Characters per text or argument fragment. Default 8. */
  size?: number
  /** Fragments of parallel calls in turns instead of one call after the other. */
  interleave?: boolean
  /** Calls without `id`. */
  omitIds?: boolean
  /** Calls without `index`. */
  omitIndex?: boolean
  /** Every call says `index: 0`, as some servers do. */
  sameIndex?: boolean
}

type Extra = Omit<ModelServerReply, 'text' | 'toolCalls'>

/** An answer in words. */
export function say(text: string, extra: Extra = {}): ModelServerReply {
  return { ...extra, text }
}

/**
 * One tool call; a string is sent raw, an object as JSON.
 *
 * @example
 * callTool('search', '{"query": broken').toolCalls?.[0]?.arguments // => '{"query": broken'
 * callTool('search', { query: 'deno' }).toolCalls?.[0]?.arguments // => '{"query":"deno"}'
 */
export function callTool(name: string, args: unknown, extra: Extra = {}): ModelServerReply {
  return callTools([[name, args]], extra)
}

/** Several tool calls in one answer: `callTools([['search', { query: 'a' }], ['search', { query: 'b' }]])`. */
export function callTools(
  calls: readonly (readonly [string, unknown])[],
  extra: Extra = {},
): ModelServerReply {
  return {
    ...extra,
    toolCalls: calls.map(([name, args]) => ({
      name,
      arguments: typeof args === 'string' ? args : JSON.stringify(args),
    })),
  }
}

/** An HTTP error: `fail(429, { headers: { 'retry-after': '1' } })`. */
export function fail(status: number, extra: Extra = {}): ModelServerReply {
  return { ...extra, status }
}

/** An answer with neither text nor tool calls. */
export function sayNothing(extra: Extra = {}): ModelServerReply {
  return { ...extra, text: '' }
}
