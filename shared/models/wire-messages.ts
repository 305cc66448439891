import type { ChatCompletionAssistantMessageParam } from 'openai/resources/chat/completions'
import type { ChatMessage } from './model-client.ts'
import type { ProviderPreset } from './presets.ts'
import { wireName } from './wire-tools.ts'

type WireCall = {
  id: string
  type: 'function'
  function: { name: string; arguments: string }
  extra_content?: unknown
}

/** Assistant messages seen to be fine for every server, so that a long history is checked once. */
const fine = new WeakSet<ChatMessage>()

/**
 * The messages as the provider takes them; the same array where nothing had to be changed.
 *
 * Servers that parse a history (vLLM, Ollama, Anthropic, Mistral) answer 400 to arguments that are no JSON
 * object, to names with dots and to unknown fields, so a call that went wrong once would end every later turn.
 */
export function wireMessages(messages: ChatMessage[], preset: ProviderPreset): ChatMessage[] {
  const wire: ChatMessage[] = []
  let changed = false
  for (const [index, message] of messages.entries()) {
    const previous = messages[index - 1]
    if (preset.needsAssistantBeforeUser && message.role === 'user' && previous?.role === 'tool') {
      wire.push({ role: 'assistant', content: 'I have read the result.' })
      changed = true
    }
    const adapted = wireMessage(message, preset)
    if (adapted !== message) changed = true
    wire.push(adapted)
  }
  return changed ? wire : messages
}

function wireMessage(message: ChatMessage, preset: ProviderPreset): ChatMessage {
  if (message.role === 'tool') {
    return preset.nineCharacterIds
      ? { ...message, tool_call_id: nineCharacters(message.tool_call_id) }
      : message
  }
  if (message.role !== 'assistant' || message.tool_calls === undefined) return message
  const special = preset.nineCharacterIds || preset.extraContent
  if (!special && fine.has(message)) return message
  const calls = message.tool_calls as WireCall[]
  const wired = calls.map((call) => wireCall(call, preset))
  if (wired.every((call, index) => call === calls[index])) {
    if (!special) fine.add(message)
    return message
  }
  return { ...message, tool_calls: wired } as ChatCompletionAssistantMessageParam
}

function wireCall(call: WireCall, preset: ProviderPreset): WireCall {
  const { name, arguments: raw } = call.function
  const sentName = wireName(name)
  const sentArguments = isObjectText(raw) ? raw : '{}'
  const id = preset.nineCharacterIds ? nineCharacters(call.id) : call.id
  const extra = preset.extraContent ? (call.extra_content ?? preset.defaultExtraContent) : undefined
  if (
    sentName === name &&
    sentArguments === raw &&
    id === call.id &&
    extra === call.extra_content &&
    !(extra === undefined && 'extra_content' in call)
  ) {
    return call
  }
  return {
    id,
    type: 'function',
    function: { name: sentName, arguments: sentArguments },
    ...(extra === undefined ? {} : { extra_content: extra }),
  }
}

function isObjectText(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
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
