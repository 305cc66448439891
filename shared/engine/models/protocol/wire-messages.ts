import type { ChatCompletionAssistantMessageParam } from 'openai/resources/chat/completions'
import { isObject, readJsonText } from '../../core/json-value.ts'
import { contentFor } from './content-for-keys.ts'
import type { ChatMessage } from './model-client.ts'
import type { ProviderPreset } from './presets.ts'
import { keptId, keptMember, returnThoughts, type ThoughtsMember } from './thoughts.ts'
import type { WireKeys } from './wire-keys.ts'
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
  /** By `nameModel`: who gets back what is kept for it. */
  from: string
  /** The server has demanded thoughts (`demanded`), or refused the members that carry them. */
  thoughts: { demanded: boolean; accepts(member: ThoughtsMember): boolean }
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
  keys?: ReadonlyMap<string, WireKeys>,
): ChatMessage[] {
  const { preset } = reader
  const wire: ChatMessage[] = []
  let calls: readonly WireCall[] = []
  const idOf = chooseIds(reader)
  for (const message of messages) {
    if (message.role === 'assistant') {
      calls = (message.tool_calls ?? []) as WireCall[]
      if (!saysNothing(message)) wire.push(wireReply(message, reader, names, keys, idOf))
    } else if (message.role === 'tool') {
      const { tool_call_id: id } = message
      const own = keys && calls.find((call) => call.id === id)?.function.name
      const renamed = own === undefined ? undefined : keys?.get(own)
      const content = (renamed && contentFor(message, renamed)) ?? message.content
      wire.push({ ...message, content, tool_call_id: idOf(calls.find((call) => call.id === id) ?? { id }) })
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
  { preset, model, nothing, from, thoughts: { demanded, accepts } }: Reader,
  names: ReadonlyMap<string, string> | undefined,
  keys: ReadonlyMap<string, WireKeys> | undefined,
  idOf: IdOf,
): ChatMessage {
  const calls = (message.tool_calls ?? []) as WireCall[]
  const extras = wireExtras(calls, preset)
  const wired = calls.map((call, index) => wireCall(call, idOf(call), { names, keys }, extras[index]))
  const wanted = preset.thoughts ?? (demanded ? 'reasoning_content' : keptMember(calls, from))
  const member = wanted !== undefined && !preset.refusesThoughts && accepts(wanted) ? wanted : undefined
  const thoughts =
    member &&
    returnThoughts(
      calls.map(({ extra_content }, index) => ({ id: wired[index]?.id ?? '', extra_content })),
      member,
      { model, from },
    )
  return {
    ...message,
    content: message.content?.length ? message.content : nothing,
    tool_calls: calls.length > 0 ? wired : message.tool_calls,
    ...thoughts,
  } as ChatCompletionAssistantMessageParam
}

function wireCall(
  call: WireCall,
  id: string,
  {
    names,
    keys,
  }: { names: ReadonlyMap<string, string> | undefined; keys: ReadonlyMap<string, WireKeys> | undefined },
  extra: unknown,
): WireCall {
  const { name, arguments: own } = call.function
  const raw = keys?.get(name)?.toWire(own) ?? own
  return {
    id,
    type: 'function',
    function: {
      name: names?.get(name) ?? wireName(name),
      arguments: isObject(readJsonText(raw)) ? raw : '{}',
    },
    extra_content: extra,
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

type IdOf = (call: { id: string; extra_content?: unknown }) => string

/** The id of a call on the wire: the one that this model gave it, where its template reads them. No two are the same. */
function chooseIds({ preset, from }: Reader): IdOf {
  const chosen = new Map<string, string>()
  const used = new Set<string>()
  return (call) => {
    const own = preset.nineCharacterIds ? undefined : keptId(call, from)
    if (own === undefined) return wireId(call.id, preset)
    const known = chosen.get(call.id)
    if (known !== undefined) return known
    let free = own
    for (let number = used.size; used.has(free); number++) free = own.replace(/\d+$/, String(number))
    used.add(free)
    chosen.set(call.id, free)
    return free
  }
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
