import { isObject, readJsonText } from '../../core/json-value.ts'
import { readMessageText } from './message-text.ts'
import type { ModelEvent, ModelToolCall, ModelUsage } from './model-client.ts'
import { readUsage, type WireUsage } from './token-usage.ts'

/** A completion while it is being read; plain answers are read by the same code as streams. */
export interface ReplyDraft {
  text: string
  calls: DraftCall[]
  finishReason: string
  hasChoice: boolean
  usage: ModelUsage | undefined
  /** US dollars, if the server itself reports the cost of the call (OpenRouter). */
  cost: number | undefined
  /** The model's thoughts before its answer, if the server sends them separately. */
  thoughts: string
  /** The same in OpenRouter's format. */
  thoughtDetails: unknown[]
}

interface DraftCall {
  index: number | undefined
  id: string
  name: string
  arguments: string
  extraContent: unknown
  /** Position among the calls, in order of appearance. */
  position: number
  announced: boolean
}

/** A server's answer; every field may be missing or null. */
export interface WireCompletion {
  choices?: WireChoice[] | null
  usage?: WireUsage | null
  x_groq?: { usage?: WireUsage | null } | null
  error?: unknown
  /** The error of servers that send it without a wrapper (vLLM, FastAPI). */
  message?: unknown
  detail?: unknown
}

interface WireChoice {
  delta?: WireMessage | null
  message?: WireMessage | null
  finish_reason?: string | null
  /** Moonshot puts it here. */
  usage?: WireUsage | null
  error?: unknown
}

interface WireMessage {
  content?: string | ({ type?: string; text?: unknown } | null)[] | null
  refusal?: string | null
  tool_calls?: WireToolCall[] | null
  reasoning_content?: unknown
  reasoning?: unknown
  reasoning_details?: unknown
}

interface WireToolCall {
  index?: number | string | null
  id?: string | null
  function?: { name?: string | null; arguments?: unknown } | null
  extra_content?: unknown
}

export function startDraft(): ReplyDraft {
  return {
    text: '',
    calls: [],
    finishReason: '',
    hasChoice: false,
    usage: undefined,
    cost: undefined,
    thoughts: '',
    thoughtDetails: [],
  }
}

/**
 * Adds a chunk of a stream, or a whole completion, to the draft.
 * Returns the provider's error object if it has one.
 */
export function addToDraft(
  draft: ReplyDraft,
  completion: WireCompletion,
  emit?: (event: ModelEvent) => void,
): unknown {
  if (completion.error !== undefined && completion.error !== null) return completion.error
  if (isBareError(completion)) return completion
  const choice = completion.choices?.[0]
  const usage = completion.usage ?? completion.x_groq?.usage ?? choice?.usage
  if (usage) addUsage(draft, usage)
  if (choice === undefined) return undefined
  draft.hasChoice = true
  if (choice.error !== undefined && choice.error !== null) return choice.error
  if (choice.finish_reason) draft.finishReason = normaliseFinishReason(choice.finish_reason)
  const whole = isWhole(choice, draft)
  const message = whole ? choice.message : choice.delta
  if (!message) return undefined
  const text = readMessageText(message.content, '') || (message.refusal ?? '')
  if (text !== '') {
    draft.text += text
    emit?.({ type: 'text-delta', delta: text })
  }
  // DeepSeek, Moonshot, vLLM; OpenRouter, Ollama.
  const thought = message.reasoning_content ?? message.reasoning
  if (typeof thought === 'string' && thought !== '') {
    draft.thoughts += thought
    emit?.({ type: 'thought-delta', delta: thought })
  }
  if (Array.isArray(message.reasoning_details)) draft.thoughtDetails.push(...message.reasoning_details)
  if (Array.isArray(message.tool_calls)) {
    for (const fragment of message.tool_calls) {
      if (isObject(fragment)) addToolCall(draft, fragment, whole, emit)
    }
  }
  return undefined
}

function isBareError({ choices, message, detail }: WireCompletion): boolean {
  return (choices === undefined || choices === null) && (message ?? detail ?? undefined) !== undefined
}

/** True if the answer is in `message`: some servers send it once, beside an empty `delta`. */
function isWhole({ delta, message }: WireChoice, draft: ReplyDraft): boolean {
  if (delta === undefined || delta === null) return true
  const first = draft.text === '' && draft.calls.length === 0
  return first && isObject(message) && Object.keys(delta).length === 0
}

function addToolCall(
  draft: ReplyDraft,
  fragment: WireToolCall,
  whole: boolean,
  emit?: (event: ModelEvent) => void,
): void {
  const call = (whole ? undefined : findCall(draft.calls, fragment)) ?? startCall(draft.calls, fragment)
  if (fragment.id) call.id = String(fragment.id)
  if (fragment.extra_content !== undefined) call.extraContent = fragment.extra_content
  const name = fragment.function?.name
  if (typeof name === 'string' && name !== '') call.name = joinNames(call.name, name)
  const piece = writeArguments(fragment.function?.arguments)
  call.arguments += piece
  if (emit === undefined || call.name === '') return
  if (!call.announced) {
    call.announced = true
    emit({ type: 'tool-input-start', index: call.position, toolName: call.name })
    if (call.arguments !== '') {
      emit({ type: 'tool-input-delta', index: call.position, delta: call.arguments })
    }
  } else if (piece !== '') {
    emit({ type: 'tool-input-delta', index: call.position, delta: piece })
  }
}

/** The call a fragment belongs to: by index, then by id, then the last one written to. */
function findCall(calls: DraftCall[], fragment: WireToolCall): DraftCall | undefined {
  const position = readIndex(fragment)
  const { id } = fragment
  const call =
    position !== undefined
      ? calls.findLast(({ index }) => index === position)
      : id
        ? calls.findLast((each) => each.id === id)
        : calls.at(-1)
  return call !== undefined && opensAnother(call, fragment) ? undefined : call
}

/** True if a fragment with a name cannot continue the call: some servers use index 0, or one id, for all calls. */
function opensAnother(call: DraftCall, fragment: WireToolCall): boolean {
  const name = fragment.function?.name
  if (!name || call.name === '') return false
  if (fragment.id && call.id && fragment.id !== call.id) return true
  const hasPlace = readIndex(fragment) !== undefined || Boolean(fragment.id)
  // Before any arguments, in the same place, it is the rest of a split name.
  if (name !== call.name) return call.arguments !== '' || !hasPlace
  const piece = writeArguments(fragment.function?.arguments)
  return readJsonText(call.arguments) !== undefined && (piece === '' ? !hasPlace : /^\s*[{["]/.test(piece))
}

/** A name comes whole, repeatedly, or in pieces. */
function joinNames(known: string, piece: string): string {
  return piece.startsWith(known) ? piece : known + piece
}

function readIndex({ index }: WireToolCall): number | undefined {
  return index === undefined || index === null || Number.isNaN(Number(index)) ? undefined : Number(index)
}

function startCall(calls: DraftCall[], fragment: WireToolCall): DraftCall {
  const call: DraftCall = {
    index: readIndex(fragment),
    id: '',
    name: '',
    arguments: '',
    extraContent: undefined,
    position: calls.length,
    announced: false,
  }
  calls.push(call)
  return call
}

/** The finished calls. A call that never got a name stays, nameless: the engine tells the model. */
export function finishCalls(draft: ReplyDraft, renamed?: ReadonlyMap<string, string>): ModelToolCall[] {
  return draft.calls.map((call) => ({
    ...(call.id === '' ? {} : { id: call.id }),
    name: renamed?.get(call.name) ?? call.name,
    rawArguments: call.arguments,
    ...(call.extraContent === undefined ? {} : { extraContent: call.extraContent }),
  }))
}

function addUsage(draft: ReplyDraft, usage: WireUsage): void {
  draft.usage = readUsage(usage)
  const { cost } = usage
  if (typeof cost === 'number' && cost >= 0 && cost < Number.POSITIVE_INFINITY) draft.cost = cost
}

/** Some servers send arguments as an object. */
function writeArguments(value: unknown): string {
  if (typeof value === 'string') return value
  return value === undefined || value === null ? '' : JSON.stringify(value)
}

/** Different names for the same reason: Gemini's MALFORMED_FUNCTION_CALL, Anthropic's max_tokens, Mistral's model_length. */
function normaliseFinishReason(reason: string): string {
  if (/malformed_function_call|malformed_tool_call/i.test(reason)) return 'malformed_function_call'
  if (/^(?:max_tokens|model_length)$/i.test(reason)) return 'length'
  // It reaches logs and traces, which hold nothing that was said: a reason is one word.
  return /^[\w.-]{1,40}$/.test(reason) ? reason : 'unknown'
}
