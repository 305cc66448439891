import { isFeedback } from '../errors/feedback-text.ts'
import type { ChatMessage } from '../models/model-client.ts'
import type { ToolSpecification } from '../tools/tool-specification.ts'
import { spellNumber } from './amount.ts'
import { addressesOfHeader } from './email-address.ts'
import { sourcedValues } from './sourced-values.ts'
import { decodedParts } from './web-address.ts'

const isLabel = /name|label|title/i

/** What the conversation holds, split by who is behind it. Texts are NFKC-folded. */
export interface ConversationTexts {
  /** Said by the user, or as good as said: user facts, earlier sent values, trusted output. */
  known: string[]
  /** Output of tools, each with the arguments that the model had sent by then. */
  outputs: { toolName: string; text: string; sentBefore: string }[]
}

/** Splits a conversation. `turnStart` is the index of the user message that began this turn. */
export function readConversation(
  messages: readonly ChatMessage[],
  tools: readonly ToolSpecification[],
  turnStart: number,
): ConversationTexts {
  const byName = new Map(tools.map((tool) => [tool.name, tool]))
  const calls = new Map<string, { name: string; args: Record<string, unknown> }>()
  const texts: ConversationTexts = { known: [], outputs: [] }
  let sentBefore = ''
  for (const [index, message] of messages.entries()) {
    if (message.role === 'user') texts.known.push(readable(textOf(message.content)))
    if (message.role === 'assistant') {
      for (const call of message.tool_calls ?? []) {
        if (call.type !== 'function') continue
        const args = readObject(call.function.arguments)
        calls.set(call.id, { name: call.function.name, args: args ?? {} })
        sentBefore += `\n${readable(args ? wordsOf(args).join('\n') : call.function.arguments)}`
      }
    }
    if (message.role !== 'tool') continue
    const content = textOf(message.content)
    if (isFeedback(content)) continue
    const call = calls.get(message.tool_call_id)
    const tool = call && byName.get(call.name)
    const output = readJson(content)
    const failed = isObject(output) && output.ok === false
    if (tool && tool.effect !== 'read' && call && !failed)
      texts.known.push(...sourcedValues(tool.parameters, call.args).map((sourced) => asText(sourced.value)))
    if (!failed && tool?.trustedOutput)
      texts.known.push(...trustedValues(output, tool.trustedOutput, index < turnStart))
    texts.outputs.push({
      toolName: call?.name ?? '',
      text: readable(output === undefined ? content : wordsOf(output).join('\n')),
      sentBefore,
    })
  }
  return texts
}

/** A known value as text that it is recognised in. */
export function asText(value: string | number): string {
  return typeof value === 'number' ? spellNumber(value) : readable(value)
}

/**
 * A text as values are looked for in it: compatibility forms such as full-width letters folded, with the text
 * as it was written where that differs, and with what its percent-encoded addresses hold.
 */
function readable(text: string): string {
  const folded = text.normalize('NFKC')
  const written = text.normalize('NFC')
  return [
    folded,
    ...(written === folded ? [] : [written]),
    ...decodedParts(folded).map((part) => part.normalize('NFC')),
  ].join('\n')
}

function textOf(content: ChatMessage['content']): string {
  if (typeof content === 'string') return content
  return (content ?? []).map((part) => ('text' in part ? part.text : '')).join('\n')
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function readObject(text: string): Record<string, unknown> | undefined {
  const value = readJson(text)
  return isObject(value) ? value : undefined
}

/** All texts, numbers and keys of a value, also those of JSON inside a text; without recursion, for any depth. */
function wordsOf(value: unknown): string[] {
  const words: string[] = []
  const open: unknown[] = [value]
  while (open.length > 0) {
    const next = open.pop()
    if (typeof next === 'string') {
      words.push(next)
      if (/^\s*[[{]/.test(next)) open.push(readJson(next))
    } else if (typeof next === 'number') words.push(spellNumber(next))
    else if (Array.isArray(next)) for (let at = next.length - 1; at >= 0; at--) open.push(next[at])
    else if (isObject(next))
      for (const [key, member] of Object.entries(next).reverse()) open.push(member, key)
  }
  return words
}

/** The texts and numbers of a trusted place, without what a sender may call themselves. */
function trustedWords(value: unknown, depth = 0): string[] {
  if (depth > 8) return []
  if (typeof value === 'string') return [value]
  if (typeof value === 'number') return [spellNumber(value)]
  if (Array.isArray(value)) return value.flatMap((item) => trustedWords(item, depth + 1))
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([key, member]) =>
    isLabel.test(key) ? [] : trustedWords(member, depth + 1),
  )
}

/**
 * The values at the declared paths. Within the turn that fetched them only where a list had a single item, so
 * that one hostile mail in a listing cannot become a recipient at once.
 */
function trustedValues(output: unknown, paths: readonly string[], isEarlierTurn: boolean): string[] {
  const data = isObject(output) && output.ok === true && 'data' in output ? output.data : output
  return paths.flatMap((path) => {
    let places: unknown[] = [data]
    const keys = path.replaceAll('[*]', '.*').split('.').filter(Boolean)
    for (const [index, key] of keys.entries()) {
      // A list at the end of a path inside another belongs to the item: the phone numbers of one contact.
      const isOfItem = index === keys.length - 1 && keys.indexOf('*') < index
      places = places.flatMap((place) => {
        if (key === '*')
          return Array.isArray(place) && (isEarlierTurn || isOfItem || place.length === 1) ? place : []
        return isObject(place) && Object.hasOwn(place, key) ? [place[key]] : []
      })
    }
    return places
      .flatMap((place) => trustedWords(place))
      .flatMap((text) => {
        const addresses = addressesOfHeader(text)
        return addresses.length > 0 || text.includes('@') ? addresses : [readable(text)]
      })
  })
}
