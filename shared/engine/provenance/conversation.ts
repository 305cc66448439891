import { isObject, readJsonText } from '../core/json-value.ts'
import type { ToolSpecification } from '../core/tool-specification.ts'
import { extractToolError } from '../failures/extract-tool-error.ts'
import type { ChatMessage } from '../models/protocol/model-client.ts'
import { isFeedback } from '../wording/feedback-text.ts'
import { spellNumber } from './amount.ts'
import { asText, readable } from './readable-text.ts'
import { sourcedValues } from './sourced-values.ts'
import { trustedValues } from './trusted-output.ts'

/** A value as good as said, sent successfully or found at a trusted place; nothing inside it counts. */
export interface Fact {
  value: string | number
  text: string
  /** What writes of the model had put anywhere by then: found again, it is the model's own. */
  writtenBefore: string
}

/** What the conversation holds, split by who is behind it. Texts are NFKC-folded. */
interface ConversationTexts {
  /** Written by the user: values are looked for inside. */
  said: string[]
  facts: Fact[]
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
  const texts: ConversationTexts = { said: [], facts: [], outputs: [] }
  let sentBefore = ''
  let writtenBefore = ''
  for (const [index, message] of messages.entries()) {
    if (message.role === 'user') texts.said.push(asSaid(textOf(message.content)))
    if (message.role === 'assistant') {
      for (const call of message.tool_calls ?? []) {
        if (call.type !== 'function') continue
        const { name, arguments: written } = call.function
        const args = readJsonText(written)
        calls.set(call.id, { name, args: isObject(args) ? args : {} })
        sentBefore += `\n${readable(isObject(args) ? wordsIn(args) : written)}`
      }
    }
    if (message.role !== 'tool') continue
    const content = textOf(message.content)
    if (isFeedback(content)) continue
    const call = calls.get(message.tool_call_id)
    const tool = call && byName.get(call.name)
    const output = readJsonText(content)
    if (tool?.trustedOutput && !(isObject(output) && output.ok === false)) {
      const trusted = trustedValues(output, tool.trustedOutput, index < turnStart)
      for (const value of trusted) texts.facts.push({ value, text: asText(value), writtenBefore })
    }
    if (call && tool?.effect !== 'read' && succeeded(output ?? content)) {
      if (tool)
        for (const { value } of sourcedValues(tool.parameters, call.args))
          texts.facts.push({ value, text: asText(value), writtenBefore: '' })
      writtenBefore += `\n${readable(wordsIn(call.args))}`
    }
    texts.outputs.push({
      toolName: call?.name ?? '',
      text: readable(output === undefined ? content : wordsIn(output)),
      sentBefore,
    })
  }
  return texts
}

/** What the user wrote, with the texts that stand in it escaped as JSON (a filled-in form). */
function asSaid(text: string): string {
  if (!text.includes('\\')) return readable(text)
  // An end always matches: a quote that is never closed is read once.
  const escaped = (text.match(/"(?:[^"\\]|\\.?)*(?:"|$)/gs) ?? []).map(readJsonText)
  return readable([text, ...escaped.filter((one) => typeof one === 'string')].join('\n'))
}

/** Whether the answer to a write says that it was carried out. */
function succeeded(output: unknown): boolean {
  if (typeof output === 'string' && output.startsWith('Question:')) return false
  return extractToolError(output) === undefined
}

function textOf(content: ChatMessage['content']): string {
  if (typeof content === 'string') return content
  return (content ?? []).map((part) => ('text' in part ? part.text : '')).join('\n')
}

/** All texts, numbers and keys of a value, a line each, also those of JSON inside a text; without recursion, for any depth. */
function wordsIn(value: unknown): string {
  const words: string[] = []
  const open: unknown[] = [value]
  while (open.length > 0) {
    const next = open.pop()
    if (typeof next === 'string') {
      words.push(next)
      if (/^\s*[[{]/.test(next)) open.push(readJsonText(next))
    } else if (typeof next === 'number') words.push(spellNumber(next))
    else if (Array.isArray(next)) for (let at = next.length - 1; at >= 0; at--) open.push(next[at])
    else if (isObject(next))
      for (const [key, member] of Object.entries(next).reverse()) open.push(member, key)
  }
  return words.join('\n')
}
