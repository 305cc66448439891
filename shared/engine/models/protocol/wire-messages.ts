import type {
  ChatCompletionAssistantMessageParam,
  ChatCompletionToolMessageParam,
} from 'openai/resources/chat/completions'
import { isObject, readJsonText } from '../../core/json-value.ts'
import type { ChatMessage } from './model-client.ts'
import type { ProviderPreset } from './presets.ts'
import { returnedThoughts } from './thoughts.ts'
import { wireName } from './wire-names.ts'

type WireCall = {
  id: string
  type: 'function'
  function: { name: string; arguments: string }
  extra_content?: unknown
}

/** Messages known to be fine for every server, so that a long history is checked once. */
const fine = new WeakSet<ChatMessage>()

/** Says of a message that its ids, names and arguments are such as every server takes. */
export function markFine<Message extends ChatMessage>(message: Message): Message {
  fine.add(message)
  return message
}

/**
 * The messages as the provider takes them; the same array where nothing had to be changed. `names` are the ones
 * of `wireNames`.
 *
 * Servers that parse a history (vLLM, Ollama, Anthropic, Mistral) answer 400 to arguments that are no JSON
 * object, to names with dots, to long ids, to an assistant that says nothing and to unknown fields, so a call
 * that went wrong once would end every later turn.
 */
export function wireMessages(
  messages: ChatMessage[],
  preset: ProviderPreset,
  model: string,
  names: ReadonlyMap<string, string> | undefined,
): ChatMessage[] {
  const wire: ChatMessage[] = []
  let changed = false
  for (const [index, message] of messages.entries()) {
    const previous = messages[index - 1]
    if (saysNothing(message)) {
      changed = true
      continue
    }
    if (preset.needsAssistantBeforeUser && message.role === 'user' && previous?.role === 'tool') {
      wire.push({ role: 'assistant', content: 'I have read the result.' })
      changed = true
    }
    const adapted = wireMessage(message, preset, model, names)
    if (adapted !== message) changed = true
    wire.push(adapted)
  }
  return changed ? wire : messages
}

function saysNothing(message: ChatMessage): boolean {
  return (
    message.role === 'assistant' &&
    (message.content === undefined || message.content === null || message.content === '') &&
    !message.tool_calls?.length &&
    !message.refusal
  )
}

function wireMessage(
  message: ChatMessage,
  preset: ProviderPreset,
  model: string,
  names: ReadonlyMap<string, string> | undefined,
): ChatMessage {
  if (message.role !== 'assistant' && message.role !== 'tool') return message
  const special = preset.nineCharacterIds || preset.extraContent || preset.thoughts
  if (!special && names === undefined && fine.has(message)) return message
  const adapted =
    message.role === 'tool' ? wireResult(message, preset) : wireAnswer(message, preset, model, names)
  if (!special && adapted === message) fine.add(message)
  return adapted
}

function wireResult(message: ChatCompletionToolMessageParam, preset: ProviderPreset): ChatMessage {
  const id = wireId(message.tool_call_id, preset)
  return id === message.tool_call_id ? message : { ...message, tool_call_id: id }
}

function wireAnswer(
  message: ChatCompletionAssistantMessageParam,
  preset: ProviderPreset,
  model: string,
  names: ReadonlyMap<string, string> | undefined,
): ChatMessage {
  const calls = (message.tool_calls ?? []) as WireCall[]
  const extras = wireExtras(calls, preset)
  const wired = calls.map((call, index) => wireCall(call, preset, names, extras[index]))
  const thoughts =
    preset.thoughts &&
    returnedThoughts(
      calls.map(({ extra_content }, index) => ({ id: wired[index]?.id ?? '', extra_content })),
      preset.thoughts,
      model,
    )
  const same = wired.every((call, index) => call === calls[index])
  if (same && (thoughts === undefined || Object.keys(thoughts).length === 0)) return message
  const sent = calls.length > 0 ? { tool_calls: wired } : {}
  return { ...message, ...sent, ...thoughts } as ChatCompletionAssistantMessageParam
}

function wireCall(
  call: WireCall,
  preset: ProviderPreset,
  names: ReadonlyMap<string, string> | undefined,
  extra: unknown,
): WireCall {
  const { name, arguments: raw } = call.function
  const sentName = names?.get(name) ?? wireName(name)
  const sentArguments = isObject(readJsonText(raw)) ? raw : '{}'
  const id = wireId(call.id, preset)
  const sameExtra = extra === undefined && !('extra_content' in call)
  if (sentName === name && sentArguments === raw && id === call.id && sameExtra) return call
  return {
    id,
    type: 'function',
    function: { name: sentName, arguments: sentArguments },
    ...(extra === undefined ? {} : { extra_content: extra }),
  }
}

/** Of calls made together only the first one has a signature: they go back as they came. */
function wireExtras(
  calls: readonly WireCall[],
  { extraContent, defaultExtraContent }: ProviderPreset,
): unknown[] {
  if (extraContent === undefined) return []
  const own = calls.map(({ extra_content }) => memberOf(extra_content, extraContent))
  const unsigned = own.every((extra) => extra === undefined)
  return own.map((extra, index) => {
    const sent = unsigned && index === 0 ? defaultExtraContent : extra
    return sent === undefined ? undefined : { [extraContent]: sent }
  })
}

function memberOf(extra: unknown, name: string): unknown {
  return (extra as Record<string, unknown> | null | undefined)?.[name] ?? undefined
}

/** An id that the server takes: OpenAI wants at most 40 characters, Anthropic only these. */
function wireId(id: string, preset: ProviderPreset): string {
  if (preset.nineCharacterIds) return nineCharacters(id)
  return /^[\w-]{1,40}$/.test(id) ? id : `call_${nineCharacters(id)}`
}

/**
 * A tool call id as Mistral takes it: nine letters or digits, the same for the same id (FNV-1a).
 *
 * @example
 * nineCharacters('abc123XYZ') // => 'abc123XYZ'
 * nineCharacters('call_0b6c') === nineCharacters('call_0b6c') // => true
 */
export function nineCharacters(id: string): string {
  if (/^[a-zA-Z0-9]{9}$/.test(id)) return id
  let hash = 0xcbf29ce484222325n
  for (let index = 0; index < id.length; index++) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(id.charCodeAt(index))) * 0x100000001b3n)
  }
  return hash.toString(36).padStart(9, '0').slice(-9)
}
