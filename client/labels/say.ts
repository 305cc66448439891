import { withoutHidden } from '../../shared/words/hidden-marks.ts'
import type { SaidAbout, SaidParts } from '../../shared/words/said.ts'
import { dots, type Show, showIn } from '../../shared/words/show.ts'
import type { FieldWords, Known, ProviderWords, ToolWords, Values } from '../../shared/words/tool-words.ts'
import { asObject } from '../json-object.ts'
import type {
  ChatAnswer,
  ChatMessage,
  ChatPart,
  FormSchema,
  MessageData,
  Pending,
  ToolDescription,
} from '../message.ts'
import { findData } from '../message-data.ts'
import { openNames } from '../open-values.ts'
import type { Labels } from './en.ts'

/** A sentence from the server: its code, its values and its English text. */
export interface OwnSentence {
  code?: string | undefined
  values?: Values | undefined
  text: string
}

/** Whether the labels word sentences with one of these codes anew; in English the server's are shown, but for a few. */
function says({ said, tools }: Labels, codes: readonly (string | undefined)[]): boolean {
  return (
    Object.keys(tools).length > 0 || codes.some((code) => code !== undefined && Object.hasOwn(said, code))
  )
}

/** A server sentence in the labels' language, or else as the server wrote it. */
export function sayOwn(labels: Labels, { code, values, text }: OwnSentence, input?: Values): string {
  return joinParts(saidParts(labels, code, values, input)) ?? text
}

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
  const more = needed && needed.length > 0 ? labels.alsoNeeded(showOf(labels).list(needed)) : ''
  const changed = pending.changed && sayChanged(labels, pending.changed)
  const question = [changed, joinParts(parts), more, because, ...told].filter(Boolean).join(' ')
  const ownButton = button === undefined ? undefined : own?.button?.(shown)
  const { hint: _, ...rest } = pending
  return {
    ...(parts ? rest : withOwnTime(labels, pending)),
    ...(own ? { title: own.title } : {}),
    ...(parts ? { asked, question } : {}),
    ...(hint === '' ? {} : { hint }),
    ...(parts && confirm !== undefined ? { confirm: why ? (whyParts?.asked ?? confirm) : asked } : {}),
    ...(ownButton === undefined ? {} : { button: ownButton }),
    ...(needed ? { alsoNeeded: needed } : {}),
    ...(schema && own ? { schema: saySchema(own, schema) } : {}),
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
  return { ...tool, title: own.title, parameters: saySchema(own, tool.parameters) }
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
    const done = summary && toolOf(labels, toolName)?.summary?.(asObject(input), {}, showOf(labels), {})
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
  const done = own?.summary?.(asObject(input), asObject(output), showOf(labels), {})
  return done === undefined ? facts : { ...facts, summary: done }
}

function inputOf(parts: readonly ChatPart[], toolCallId: string | undefined): Values | undefined {
  if (toolCallId === undefined) return undefined
  const call = parts.find((part) => (part as { toolCallId?: string } | null)?.toolCallId === toolCallId)
  return asObject((call as { input?: unknown } | undefined)?.input)
}

function saidParts(
  labels: Labels,
  code: string | undefined,
  values: Values = {},
  input?: Values,
): SaidParts | undefined {
  if (code === undefined || !Object.hasOwn(labels.said, code)) return undefined
  const said = labels.said[code]?.(aboutOf(labels, values, input))
  return typeof said === 'string' ? { asked: said } : said
}

function joinParts(parts: SaidParts | undefined): string | undefined {
  return parts && [parts.because, parts.asked, parts.hint].filter(Boolean).join(' ')
}

function aboutOf(labels: Labels, values: Values, input: Values = asObject(values.input)): SaidAbout {
  const own = toolOf(labels, values.toolName)
  const show = showOf(labels)
  const place = fieldOf(own, String(values.parameter ?? ''))
  const text = (value: unknown) => (typeof value === 'string' ? withoutHidden(value) : undefined)
  const known = asObject(values.known) as Known
  const besides = listBesides(own, values.besides, input, show)
  const confirm = own?.confirm?.(input, show, known)
  const done = own?.summary?.(asObject(values.input), {}, show, known)
  return {
    values,
    show,
    tool: own?.title ?? text(values.tool) ?? '',
    field: place?.title ?? text(values.field) ?? '',
    provider: text(values.provider) ?? '',
    purpose: providerOf(labels, values.providerId, values.service)?.purpose,
    question: place?.question ?? text(values.question),
    hint: place?.hint ?? text(values.hint),
    unfit: place?.unfit,
    confirm: confirm === undefined ? undefined : confirm + besides,
    done: done === undefined ? undefined : done + besides,
    tools: () =>
      [values.tools ?? []].flat().map((title, index) => {
        const name = (values.toolNames as unknown[] | undefined)?.[index]
        return toolOf(labels, name)?.title ?? withoutHidden(String(title))
      }),
    why: () =>
      typeof values.whyText === 'string'
        ? sayOwn(labels, { code: text(values.why), values: asObject(values.whyValues), text: values.whyText })
        : undefined,
  }
}

/** Values that people must see although the sentence does not show them. */
function listBesides(own: ToolWords | undefined, names: unknown, input: Values, show: Show): string {
  if (!Array.isArray(names) || names.length === 0) return ''
  const told = names.map((name) => {
    const field = fieldOf(own, String(name))
    return `${field?.short ?? field?.title ?? name}: ${show.value(input[String(name)]) ?? '–'}`
  })
  return ` (${told.join(', ')})`
}

function showOf({ locale, quotes }: Labels): Show {
  return showIn(locale, quotes)
}

function toolOf({ tools }: Labels, name: unknown): ToolWords | undefined {
  return typeof name === 'string' && Object.hasOwn(tools, name) ? tools[name] : undefined
}

/** The words for a provider: its own, or those of its service. */
export function providerOf(
  { providers, services }: Labels,
  id: unknown,
  service: unknown,
  { name = '', connection }: { name?: string; connection?: FormSchema } = {},
): ProviderWords | undefined {
  if (typeof id === 'string' && Object.hasOwn(providers, id)) return providers[id]
  if (typeof service !== 'string' || !Object.hasOwn(services, service)) return undefined
  return services[service]?.(name, asObject(connection?.values))
}

/** The field at a path; a list item uses the question of its list. */
function fieldOf(own: { fields: ToolWords['fields'] } | undefined, path: string): FieldWords | undefined {
  const plain = path.replace(/\[\d+\]/g, '')
  return own && Object.hasOwn(own.fields, plain) ? own.fields[plain] : undefined
}

/** Each open item of a list has its own field: `Cc`, `Cc 2`. */
function titleAt({ title }: FieldWords, path: string): string {
  const [, index = '0'] = /\[(\d+)\]$/.exec(path) ?? []
  return index === '0' ? title : `${title} ${Number(index) + 1}`
}

/** A form of one of our tools or providers. */
export function saySchema(own: { fields: ToolWords['fields'] }, schema: FormSchema, before = ''): FormSchema {
  const properties = Object.entries(schema.properties ?? {}).map(([name, field]): [string, FormSchema] => {
    const path = before === '' ? name : `${before}.${name}`
    const words = fieldOf(own, path)
    const inner = field.properties ? saySchema(own, field, path) : field
    const items = field.items?.properties ? { items: saySchema(own, field.items, path) } : {}
    if (!words) return [name, { ...inner, ...items }]
    const { hint, choices } = words
    const { description: _, hint: __, ...rest } = inner
    const title = titleAt(words, path)
    return [name, { ...rest, ...items, title, ...(hint ? { hint } : {}), ...(choices ? { choices } : {}) }]
  })
  return schema.properties ? { ...schema, properties: Object.fromEntries(properties) } : schema
}
