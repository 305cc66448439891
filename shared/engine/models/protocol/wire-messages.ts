import type { ChatCompletionAssistantMessageParam } from 'openai/resources/chat/completions'
import { isObject, readJsonText } from '../../core/json-value.ts'
import type { ChatMessage } from './model-client.ts'
import type { ProviderPreset } from './presets.ts'
import { returnThoughts } from './thoughts.ts'
import { wireName } from './wire-names.ts'

type WireCall = {
  id: string
  type: 'function'
  function: { name: string; arguments: string }
  extra_content?: unknown
}

/** The recipient of the messages. */
interface Reader {
  preset: ProviderPreset
  model: string
  /** The content of an assistant message that only has calls. */
  nothing: '' | null
}

/**
 * The messages in a form that the provider accepts. `names` come from `wireNames`.
 *
 * Servers that parse a history (vLLM, Ollama, Anthropic, Mistral) answer 400 to arguments that are not a JSON
 * object, to names with dots, to long ids, to empty assistant messages and to unknown fields, so a call
 * that went wrong once would end every later turn.
 */
export function wireMessages(
  messages: readonly ChatMessage[],
  reader: Reader,
  names: ReadonlyMap<string, string> | undefined,
): ChatMessage[] {
  const { preset } = reader
  const wire: ChatMessage[] = []
  for (const message of messages) {
    if (message.role === 'assistant') {
      if (!saysNothing(message)) wire.push(wireReply(message, reader, names))
    } else if (message.role === 'tool') {
      wire.push({ ...message, tool_call_id: wireId(message.tool_call_id, preset) })
    } else {
      if (preset.needsAssistantBeforeUser && message.role === 'user' && wire.at(-1)?.role === 'tool') {
        wire.push({ role: 'assistant', content: 'I have read the result.' })
      }
      wire.push(message)
    }
  }
  return wire
}

function saysNothing(message: ChatCompletionAssistantMessageParam): boolean {
  return !message.content?.length && !message.tool_calls?.length && !message.refusal
}

function wireReply(
  message: ChatCompletionAssistantMessageParam,
  { preset, model, nothing }: Reader,
  names: ReadonlyMap<string, string> | undefined,
): ChatMessage {
  const calls = (message.tool_calls ?? []) as WireCall[]
  const extras = wireExtras(calls, preset)
  const wired = calls.map((call, index) => wireCall(call, preset, names, extras[index]))
  const thoughts =
    preset.thoughts &&
    returnThoughts(
      calls.map(({ extra_content }, index) => ({ id: wired[index]?.id ?? '', extra_content })),
      preset.thoughts,
      model,
    )
  return {
    ...message,
    content: message.content?.length ? message.content : nothing,
    ...(calls.length > 0 ? { tool_calls: wired } : {}),
    ...thoughts,
  } as ChatCompletionAssistantMessageParam
}

function wireCall(
  call: WireCall,
  preset: ProviderPreset,
  names: ReadonlyMap<string, string> | undefined,
  extra: unknown,
): WireCall {
  const { name, arguments: raw } = call.function
  return {
    id: wireId(call.id, preset),
    type: 'function',
    function: {
      name: names?.get(name) ?? wireName(name),
      arguments: isObject(readJsonText(raw)) ? raw : '{}',
    },
    ...(extra === undefined ? {} : { extra_content: extra }),
  }
}

/** Of calls made together only the first one has a signature: they are sent back as they came. */
function wireExtras(
  calls: readonly WireCall[],
  { extraContent, defaultExtraContent }: ProviderPreset,
): unknown[] {
  if (extraContent === undefined) return []
  const own = calls.map(({ extra_content }) => writeMember(extra_content, extraContent))
  const unsigned = own.every((extra) => extra === undefined)
  return own.map((extra, index) => {
    const sent = unsigned && index === 0 ? defaultExtraContent : extra
    return sent === undefined ? undefined : { [extraContent]: sent }
  })
}

function writeMember(extra: unknown, name: string): unknown {
  return (extra as Record<string, unknown> | null | undefined)?.[name] ?? undefined
}

/** An id that the server accepts: OpenAI wants at most 40 characters, Anthropic only these. */
function wireId(id: string, preset: ProviderPreset): string {
  if (preset.nineCharacterIds) return shortenId(id)
  return /^[\w-]{1,40}$/.test(id) ? id : `call_${shortenId(id)}`
}

/**
 * A tool call id that Mistral accepts: nine letters or digits, the same for the same id (FNV-1a).
 *
 * @example
 * shortenId('abc123XYZ') // => 'abc123XYZ'
 * shortenId('call_0b6c') === shortenId('call_0b6c') // => true
 */
export function shortenId(id: string): string {
  if (/^[a-zA-Z0-9]{9}$/.test(id)) return id
  let hash = 0xcbf29ce484222325n
  for (let index = 0; index < id.length; index++) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(id.charCodeAt(index))) * 0x100000001b3n)
  }
  return hash.toString(36).padStart(9, '0').slice(-9)
}
