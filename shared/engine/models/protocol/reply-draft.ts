import { canonicalJson } from '../../core/canonical-json.ts'
import { isLongNumber } from '../../core/exact-json.ts'
import { isObject, readJsonText } from '../../core/json-value.ts'
import { type MessagePart, readMessageText, readThoughtParts } from './message-text.ts'
import type { ModelEvent, ModelToolCall, ModelUsage } from './model-client.ts'
import { readUsage, type WireUsage } from './token-usage.ts'

/** A completion while it is being read; plain answers are read by the same code as streams. */
export interface ReplyDraft {
  text: string
  calls: DraftCall[]
  finishReason: string
  hasChoice: boolean
  usage: ModelUsage | undefined
  /** What the server says of it after the answer is complete; undefined if it says nothing in time. */
  lateUsage?: Promise<Pick<ReplyDraft, 'usage' | 'cost'> | undefined>
  /** US dollars, if the server itself reports the cost of the call (OpenRouter). */
  cost: number | undefined
  /** The choice that `text` comes from; the text of others is left out. */
  textFrom: number | undefined
  /** The last piece of the text; every one began with all before it, so far. */
  repeats: { piece: string; count: number } | undefined
  /** Grows with everything that is part of the answer, unlike usage and signs of life. */
  size: number
  /** The model's thoughts before its answer, if the server sends them separately. */
  thoughts: string
  /** The member of the answer that they came in. */
  thoughtsIn: 'reasoning_content' | 'reasoning' | undefined
  /** The same in OpenRouter's format. */
  thoughtDetails: unknown[]
}

interface DraftCall {
  /** The choice that it stands in. */
  choice: number
  index: number | undefined
  id: string
  name: string
  arguments: string
  /** The same, as it came. */
  pieces: string[]
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
  /** The error of servers that send it without a wrapper (vLLM, FastAPI, Z.ai, Qianfan). */
  message?: unknown
  detail?: unknown
  msg?: unknown
  error_msg?: unknown
  /** Cloudflare. */
  errors?: unknown
  /** MiniMax, with status 0 if all is well. */
  base_resp?: { status_code?: unknown; status_msg?: unknown } | null
}

interface WireChoice {
  index?: number | string | null
  delta?: WireMessage | null
  message?: WireMessage | null
  finish_reason?: string | null
  /** Moonshot puts it here. */
  usage?: WireUsage | null
  error?: unknown
}

interface WireMessage {
  content?: string | MessagePart[] | null
  refusal?: string | null
  tool_calls?: WireToolCall[] | WireToolCall | null
  /** What `tool_calls` replaced, still sent by some servers. */
  function_call?: WireToolCall['function']
  reasoning_content?: unknown
  reasoning?: unknown
  reasoning_details?: unknown
}

interface WireToolCall {
  index?: number | string | null
  id?: string | null
  function?: { name?: string | null; arguments?: unknown } | null
  /** Some gateways leave out `function` around them. */
  name?: string | null
  arguments?: unknown
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
    textFrom: undefined,
    repeats: { piece: '', count: 0 },
    size: 0,
    thoughts: '',
    thoughtsIn: undefined,
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
  const choices = Array.isArray(completion.choices) ? completion.choices : noChoices
  if (!completion.choices) {
    const failure = readBareError(completion)
    if (failure !== undefined) return failure
  }
  const usage = completion.usage ?? completion.x_groq?.usage ?? choices.find(isObject)?.usage
  if (usage) addUsage(draft, usage)
  // One answer may be spread over several choices: words in one, the call in another.
  let place = 0
  for (const one of choices) {
    if (!isObject(one)) continue
    const choice: WireChoice = one
    draft.hasChoice = true
    if (choice.error !== undefined && choice.error !== null) return choice.error
    addChoice(draft, choice, readNumber(choice.index) ?? place, emit)
    place++
  }
  return undefined
}

function addChoice(
  draft: ReplyDraft,
  choice: WireChoice,
  place: number,
  emit?: (event: ModelEvent) => void,
): void {
  if (choice.finish_reason) {
    draft.finishReason = normaliseFinishReason(choice.finish_reason)
    draft.size++
  }
  const whole = isWhole(choice, draft)
  const message = whole ? choice.message : choice.delta
  if (!message) return
  const text = readMessageText(message.content, '') || (message.refusal ?? '')
  if (text !== '') addText(draft, text, place, emit)
  addThoughts(draft, message, emit)
  for (const fragment of fragmentsIn(message)) {
    if (isObject(fragment))
      addToolCall(draft, { ...fragment, function: fragment.function ?? fragment }, { whole, place }, emit)
  }
}

const noFragments: readonly WireToolCall[] = []

function fragmentsIn({ tool_calls: calls, function_call: only }: WireMessage): readonly WireToolCall[] {
  if (calls && !(Array.isArray(calls) && calls.length === 0)) return Array.isArray(calls) ? calls : [calls]
  return only ? [{ function: only }] : noFragments
}

function addText(draft: ReplyDraft, text: string, place: number, emit?: (event: ModelEvent) => void): void {
  draft.textFrom ??= place
  if (draft.textFrom !== place) return
  const { repeats } = draft
  if (repeats !== undefined) {
    const goesOn = repeats.count === 0 || text.startsWith(repeats.piece)
    draft.repeats = goesOn ? { piece: text, count: repeats.count + 1 } : undefined
  }
  draft.text += text
  draft.size++
  emit?.({ type: 'text-delta', delta: text })
}

/** Pieces that each begin with all before them; fewer or shorter ones may be chance, as in "ha", "haha". */
const surelyRepeats = { count: 3, length: 12 }

/** The text of the answer. Some servers send all of it so far in every piece. */
export function finishText({ text, repeats }: ReplyDraft): string {
  const isRepeated =
    repeats !== undefined &&
    repeats.count >= surelyRepeats.count &&
    repeats.piece.length >= surelyRepeats.length
  return isRepeated ? repeats.piece : text
}

function addThoughts(draft: ReplyDraft, message: WireMessage, emit?: (event: ModelEvent) => void): void {
  // DeepSeek, Moonshot, vLLM; OpenRouter, Ollama; Mistral sends parts of the content, gateways only details.
  const member = typeof message.reasoning_content === 'string' ? 'reasoning_content' : 'reasoning'
  const said = message[member]
  const details = Array.isArray(message.reasoning_details) ? message.reasoning_details : noDetails
  if (details !== noDetails) draft.thoughtDetails.push(...details)
  const thought =
    typeof said === 'string' && said !== '' ? said : readThoughtParts(message.content) || readDetails(details)
  if (thought === '') return
  if (thought === said) draft.thoughtsIn = member
  draft.thoughts += thought
  draft.size++
  emit?.({ type: 'thought-delta', delta: thought })
}

const noDetails: readonly unknown[] = []

function readDetails(details: readonly unknown[]): string {
  if (details.length === 0) return ''
  const texts = details.flatMap((detail) => (isObject(detail) ? [detail.text ?? detail.summary] : []))
  return texts.filter((text) => typeof text === 'string').join('')
}

const noChoices: readonly WireChoice[] = []

/** The error of an answer without choices that is one, whatever it is wrapped in. */
function readBareError(completion: WireCompletion): unknown {
  const { message, detail, msg, error_msg: errorMessage, base_resp: base } = completion
  if ((message ?? detail ?? msg ?? errorMessage) !== undefined) return completion
  const listed: unknown = Array.isArray(completion) ? completion : completion.errors
  const first: unknown = Array.isArray(listed) ? listed[0] : undefined
  if (isObject(first)) return first.error ?? first
  return base?.status_code ? { code: base.status_code, message: base.status_msg } : undefined
}

/** True if the answer is in `message`: some servers send it once, beside an empty `delta`. */
function isWhole({ delta, message }: WireChoice, draft: ReplyDraft): boolean {
  if (delta === undefined || delta === null) return true
  const isFirst = draft.text === '' && draft.calls.length === 0
  return isFirst && isObject(message) && Object.entries(delta).every(isNothing)
}

function isNothing([name, value]: [string, unknown]): boolean {
  return name === 'role' || value === '' || value === null || (Array.isArray(value) && value.length === 0)
}

function addToolCall(
  draft: ReplyDraft,
  fragment: WireToolCall,
  { whole, place }: { whole: boolean; place: number },
  emit?: (event: ModelEvent) => void,
): void {
  const known = whole ? undefined : findCall(callsOf(draft, place), fragment)
  const call = known ?? startCall(draft.calls, fragment, place)
  draft.size++
  if (fragment.id) call.id = String(fragment.id)
  if (fragment.extra_content !== undefined) call.extraContent = fragment.extra_content
  const name = fragment.function?.name
  if (typeof name === 'string' && name !== '') call.name = joinNames(call.name, name)
  const piece = writeArguments(fragment.function?.arguments)
  call.arguments += piece
  if (piece !== '') call.pieces.push(piece)
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
  return readNumber(index)
}

function readNumber(value: number | string | null | undefined): number | undefined {
  return value === undefined || value === null || Number.isNaN(Number(value)) ? undefined : Number(value)
}

/** Each choice counts its calls from 0. */
function callsOf({ calls }: ReplyDraft, place: number): DraftCall[] {
  return calls.every(({ choice }) => choice === place)
    ? calls
    : calls.filter(({ choice }) => choice === place)
}

function startCall(calls: DraftCall[], fragment: WireToolCall, choice: number): DraftCall {
  const call: DraftCall = {
    choice,
    index: readIndex(fragment),
    id: '',
    name: '',
    arguments: '',
    pieces: [],
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
    id: call.id === '' ? undefined : call.id,
    name: renamed?.get(call.name) ?? call.name,
    rawArguments: settleArguments(call),
    extraContent: call.extraContent,
  }))
}

/** Some servers send in every fragment all arguments so far, or the whole of them again. */
function settleArguments({ arguments: joined, pieces }: DraftCall): string {
  if (pieces.length < 2 || readJsonText(joined) !== undefined) return joined
  let known = ''
  for (const piece of pieces) known = repeatsAll(known, piece) ? piece : known + piece
  return isObject(readJsonText(known)) ? known : joined
}

function repeatsAll(known: string, piece: string): boolean {
  if (known === '' || piece.startsWith(known)) return true
  if (piece[0] !== '{' || piece.length < known.length / 2) return false
  const [before, again] = [readJsonText(known), readJsonText(piece)]
  return isObject(before) && isObject(again) && canonicalJson(before) === canonicalJson(again)
}

function addUsage(draft: ReplyDraft, usage: WireUsage): void {
  const read = readUsage(usage)
  // No call reads and writes nothing: such a server does not count.
  if (read.inputTokens + read.outputTokens > 0) draft.usage = read
  // A price is no id: of a long one, the digits of a double are enough.
  const cost = isLongNumber(String(usage.cost)) ? Number(usage.cost) : usage.cost
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
