import { saySummary, sayVerb } from '../../shared/words/fill-words.ts'
import { fieldOf, sayForm, titleAt } from '../../shared/words/form-words.ts'
import { joinParts, saidParts, sayOwn, says, showOf, toolOf } from '../../shared/words/say.ts'
import { dots } from '../../shared/words/show.ts'
import type { Values } from '../../shared/words/tool-words.ts'
import type {
  ChatAnswer,
  ChatMessage,
  ChatPart,
  FormSchema,
  MessageData,
  Pending,
  ToolDescription,
} from '../api/message.ts'
import { findData } from '../api/message-data.ts'
import { openNames } from '../api/open-values.ts'
import { asObject } from '../values/json-object.ts'
import type { Labels } from './en.ts'

/** An open item in the labels' language. */
export function sayPending<Item extends Partial<Omit<Pending, 'type'>> & Pick<Pending, 'question'>>(
  labels: Labels,
  pending: Item,
): Item {
  if (
    !says(labels, [pending.code, pending.why?.code, ...(pending.stillWaiting ?? []).map(({ code }) => code)])
  )
    return withOwnTime(labels, pending)
  const { toolName = '', code, codeValues, schema, values = {}, button, confirm, alsoNeeded, why } = pending
  const own = toolOf(labels, toolName)
  const { remember } = pending
  const title = own?.title ?? pending.title ?? toolName
  const parts = saidParts(labels, code, codeValues, values)
  // What is still to be filled in stands as three dots.
  const shown = why ? withDots(values, schema) : values
  const whyParts = why && saidParts(labels, why.code, why.values, shown)
  const also = codeValues?.also
  const fieldTitle = (path: unknown, index: number) => {
    const words = fieldOf(own, String(path))
    return words ? titleAt(words, String(path)) : (alsoNeeded?.[index] ?? String(path))
  }
  const needed = alsoNeeded && Array.isArray(also) ? also.map(fieldTitle) : alsoNeeded
  const asked = parts?.asked
  const because = whyParts?.because
  const told = pending.stillWaiting?.map((one) => sayOwn(labels, one)) ?? []
  const hint = [parts?.because, parts?.hint, because, ...told].filter(Boolean).join(' ')
  const more = needed && needed.length > 0 ? labels.alsoNeeded(needed) : ''
  const changed = pending.changed && sayChanged(labels, pending.changed)
  const question = [changed, joinParts(parts), more, because, ...told].filter(Boolean).join(' ')
  const ownButton = button === undefined ? undefined : sayVerb(own, shown, showOf(labels))
  const { hint: _, ...rest } = pending
  return {
    ...(parts ? rest : withOwnTime(labels, pending)),
    ...(own ? { title: own.title } : {}),
    ...(parts ? { asked, question } : {}),
    ...(hint === '' ? {} : { hint }),
    ...(parts && confirm !== undefined ? { confirm: why ? (whyParts?.asked ?? confirm) : asked } : {}),
    ...(ownButton === undefined ? {} : { button: ownButton }),
    ...(needed ? { alsoNeeded: needed } : {}),
    ...(schema && own ? { schema: sayForm(own, schema) } : {}),
    ...(remember
      ? { remember: { ...remember, sentence: labels.offerPermission({ ...remember, tool: title }) } }
      : {}),
  } as Item
}

/** The values of a call, with dots wherever its form asks for one. */
function withDots(values: Values, { properties = {} }: FormSchema = {}): Values {
  const open = Object.entries(properties).map(([path, { type }]): [string, unknown] => {
    const [name = path] = openNames({ properties: { [path]: {} } })
    const known = values[name]
    if (name !== path) return [name, Array.isArray(known) ? known.map((item) => item ?? dots) : known]
    return [name, type === 'array' ? [dots] : dots]
  })
  return { ...values, ...Object.fromEntries(open) }
}

/** The server's words with their time as the reader's clock shows it: the server may not know the time zone. */
function withOwnTime<Item extends Partial<Pick<Pending, 'codeValues' | 'hint'>> & Pick<Pending, 'question'>>(
  labels: Labels,
  pending: Item,
): Item {
  const { at, when } = pending.codeValues ?? {}
  const moment = showOf(labels).moment(at)
  if (typeof when !== 'string' || when === '' || moment === undefined) return pending
  const { question, hint } = pending
  const own = (text: string) => text.replace(when, () => `on ${moment}`)
  return { ...pending, question: own(question), ...(hint === undefined ? {} : { hint: own(hint) }) }
}

/** What has changed since an item was asked before. */
export function sayChanged(labels: Labels, changed: NonNullable<Pending['changed']>): string {
  return joinParts(saidParts(labels, 'changed', { changed })) ?? ''
}

/** A message with our own sentences translated; the model's words stay. */
export function sayMessage(labels: Labels, message: ChatMessage): ChatMessage {
  const { parts, metadata } = message
  if (message.role !== 'assistant' || !says(labels, codesIn(message))) return message
  const said = new Map(
    metadata?.texts?.map((one) => [one.text, sayOwn(labels, one, inputOf(parts, one.toolCallId))]),
  )
  const texts = metadata?.texts?.map((one) => ({ ...one, text: said.get(one.text) ?? one.text }))
  return {
    ...message,
    ...(metadata && texts ? { metadata: { ...metadata, texts } } : {}),
    parts: parts.map((part) => sayPart(labels, part, parts, said)),
  }
}

function codesIn({ parts, metadata }: ChatMessage): (string | undefined)[] {
  const asked = parts.map((part) => (part?.type === 'data-question' ? part.data.code : undefined))
  return [...asked, ...(metadata?.texts ?? []).map(({ code }) => code)]
}

/** The text of an answer, or of what ended it; the model's words stay. */
export function sayText(labels: Labels, text: string, metadata: ChatMessage['metadata']): string {
  const texts = metadata?.texts ?? []
  return texts.reduce((all, one) => all.replace(one.text, () => sayOwn(labels, one)), text)
}

/** The result of a call: its summary, or what was said about it. A follow-up question has its own card. */
export function sayOutcome(labels: Labels, answer: ChatAnswer, toolCallId: string): string {
  const { text, toolsUsed = [], message, pending = [] } = answer
  const summary = toolsUsed.find((use) => use.toolCallId === toolCallId)?.summary
  if (summary === undefined) return pending.length > 0 ? '' : sayText(labels, text, message.metadata)
  const facts = findData(sayMessage(labels, message).parts, 'call', toolCallId)
  return facts?.summary ?? summary
}

/** A tool, translated if it is one of ours. */
export function sayTool(labels: Labels, tool: ToolDescription): ToolDescription {
  const own = toolOf(labels, tool.name)
  if (!own) return tool
  return { ...tool, title: own.title, parameters: sayForm(own, tool.parameters) }
}

/** The short label of a parameter of one of our tools. */
export function sayParameter(labels: Labels, toolName: string, name: string): string | undefined {
  const field = fieldOf(toolOf(labels, toolName), name)
  return field?.short ?? field?.title
}

function sayPart(
  labels: Labels,
  part: ChatPart,
  parts: readonly ChatPart[],
  said: ReadonlyMap<string, string>,
): ChatPart {
  if (typeof part?.type !== 'string') return part
  if (part.type === 'text') return said.has(part.text) ? { ...part, text: said.get(part.text) ?? '' } : part
  if (part.type === 'data-done-before') {
    const { toolName, input, summary } = part.data
    const done =
      summary && saySummary(toolOf(labels, toolName), asObject(input), undefined, showOf(labels), {})
    return done ? { ...part, data: { ...part.data, summary: done } } : part
  }
  if (part.type === 'data-call') return { ...part, data: sayCall(labels, part.data, parts) }
  if (part.type === 'data-question') {
    const { question } = part.data
    return question === undefined ? part : { ...part, data: sayPending(labels, { ...part.data, question }) }
  }
  const { toolCallId, errorText } = part as { toolCallId?: string; errorText?: string }
  if (toolCallId === undefined || typeof errorText !== 'string') return part
  return { ...part, errorText: sayError(labels, toolCallId, errorText, parts) } as ChatPart
}

function sayError(labels: Labels, toolCallId: string, text: string, parts: readonly ChatPart[]): string {
  const closed = findData(parts, 'closed', toolCallId)
  if (closed?.text === text) return sayOwn(labels, closed)
  const question = findData(parts, 'question', toolCallId)
  if (question?.question === text) return sayPending(labels, { ...question, question: text }).question
  const error = findData(parts, 'tool-error', toolCallId)
  return sayOwn(labels, { code: error?.code, values: error?.values, text })
}

function sayCall(
  labels: Labels,
  facts: MessageData['call'],
  parts: readonly ChatPart[],
): MessageData['call'] {
  const { toolCallId, summary } = facts
  const call = parts.find((part) => (part as { toolCallId?: string } | null)?.toolCallId === toolCallId)
  if (summary === undefined || !call) return facts
  const { input, output } = call as { input?: unknown; output?: unknown }
  const own = toolOf(labels, call.type.slice('tool-'.length))
  const done = saySummary(own, asObject(input), asObject(output), showOf(labels), {})
  return done === undefined ? facts : { ...facts, summary: done }
}

function inputOf(parts: readonly ChatPart[], toolCallId: string | undefined): Values | undefined {
  if (toolCallId === undefined) return undefined
  const call = parts.find((part) => (part as { toolCallId?: string } | null)?.toolCallId === toolCallId)
  return asObject((call as { input?: unknown } | undefined)?.input)
}
