import { showInShort } from './fill-template.ts'
import { sayConfirm, saySummary, sayVerb, templatesOf } from './fill-words.ts'
import { fieldOf } from './form-words.ts'
import { withoutHidden } from './hidden-marks.ts'
import type { Language } from './language.ts'
import { plainLine } from './quoted-value.ts'
import type { SaidAbout, SaidParts } from './said.ts'
import { type Show, showIn } from './show.ts'
import type { Known, ProviderWords, ToolWords, Values } from './tool-words.ts'

/** A sentence from the engine, the database or an integration: its code and values, and its English text if it has one. */
export interface OwnSentence {
  code?: string | undefined
  values?: Values | undefined
  text?: string | undefined
}

/**
 * A sentence in the language, or else as it was given; without a text, what it is about, with its values. `input`: the
 * call that it is about.
 */
export function sayOwn(language: Language, { code, values, text }: OwnSentence, input?: Values): string {
  return joinParts(saidParts(language, code, values, input)) ?? text ?? sayPlainly(language, values, input)
}

/** What is left to say where nobody has words: the title of the tool, and the values of its call. */
export function sayPlainly(
  language: Language,
  values: Values = {},
  input: Values = valuesIn(values.input),
): string {
  const { value } = showOf(language)
  const title = toolOf(language, values.toolName)?.title ?? String(values.tool ?? values.toolName ?? '')
  const told = Object.entries(input).map(([name, one]) => `${name}: ${value(one) ?? '–'}`)
  return [withoutHidden(title), told.join(', ')].filter(Boolean).join(': ') || '–'
}

/**
 * A sentence in its parts. Undefined if the language has no words for it, or needs values that are missing: the given
 * text is shown then. It never throws.
 */
export function saidParts(
  language: Language,
  code: string | undefined,
  values: Values = {},
  input?: Values,
): SaidParts | undefined {
  if (code === undefined || !Object.hasOwn(language.said, code)) return undefined
  const said = unlessBroken(() => language.said[code]?.(aboutOf(language, values, input)))
  const parts = typeof said === 'string' ? { asked: said } : said
  return isSaid(parts?.asked) ? parts : undefined
}

/** Whether there is something to read. */
function isSaid(text: unknown): boolean {
  return typeof text === 'string' && text.trim() !== ''
}

/** What a call does, as a statement; undefined if its tool has no words in the language. */
export function stateCall(language: Language, values: Values, input: Values): string | undefined {
  return unlessBroken(() => aboutOf(language, values, input).statement)
}

/** The whole sentence: the reason, what is asked or said, and what to enter or do. */
export function joinParts(parts: SaidParts | undefined): string | undefined {
  return parts && [parts.because, parts.asked, parts.hint].filter(Boolean).join(' ')
}

function aboutOf(language: Language, values: Values, input: Values = valuesIn(values.input)): SaidAbout {
  const own = toolOf(language, values.toolName)
  const show = showOf(language)
  const place = fieldOf(own, String(values.parameter ?? ''))
  const text = (value: unknown) => (typeof value === 'string' ? withoutHidden(value) : undefined)
  const known = valuesIn(values.known) as Known
  const earlier = valuesIn(values.input)
  // Words are stored, and may be of an older release: without a template that can be filled in, all values are named.
  const isBroken = own?.confirm !== undefined && typeof own.confirm !== 'string'
  const besidesOf = (args: Values) =>
    listBesides(own, isBroken ? Object.keys(args) : values.besides, args, show)
  const besides = besidesOf(input)
  const isEarlier = values.input !== undefined
  const besidesEarlier = isEarlier ? besidesOf(earlier) : besides
  const asked = sayConfirm(own, input, show, known)
  const stated = isEarlier ? sayConfirm(own, earlier, show, known) : asked
  const done = saySummary(own, earlier, values.output, show, known)
  return {
    values,
    show,
    tool: own?.title ?? text(values.tool) ?? '',
    field: place?.title ?? text(values.field) ?? '',
    provider: text(values.provider) ?? '',
    purpose: providerOf(language, values.providerId)?.purpose,
    question: place?.question ?? text(values.question),
    hint: place?.hint ?? text(values.hint),
    unfit: place?.unfit ?? text(values.unfit),
    // A tool without a question of its own is named, with its values.
    confirm: asked === undefined ? own && `${own.title}${besides}?` : asked + besides,
    statement: own && (stated?.replace(/[?？]\s*$/, '') ?? own.title) + besidesEarlier,
    done: done === undefined ? undefined : done + besidesEarlier,
    tools: () =>
      [values.tools ?? []].flat().map((title, index) => {
        const name = (values.toolNames as unknown[] | undefined)?.[index]
        return toolOf(language, name)?.title ?? withoutHidden(String(title))
      }),
    why: () =>
      typeof values.why === 'string'
        ? sayOwn(language, {
            code: values.why,
            values: valuesIn(values.whyValues),
            text: text(values.whyText),
          })
        : undefined,
  }
}

/**
 * What a call did, in one line. `summary`: in the tool's own words, which stand if the language has none for it.
 * Undefined if the tool says nothing of what it did.
 */
export function sayDone(
  language: Language,
  {
    toolName,
    input,
    output,
    summary,
  }: { toolName: string; input: unknown; output?: unknown; summary?: string | undefined },
): string | undefined {
  if (summary === undefined) return undefined
  const own = toolOf(language, toolName)
  const done = unlessBroken(() => saySummary(own, valuesIn(input), output, showOf(language), {}))
  return done ?? summary
}

/** Why a request is refused, in the language, or else as it was given: only the server can say what some of them mean. */
export function sayRefusal({ refusals }: Language, { code, text }: { code: string; text: string }): string {
  return (Object.hasOwn(refusals, code) ? refusals[code] : null) ?? text
}

/** The verb on the button of a call; undefined if the language has none for it. */
export function sayButton(language: Language, toolName: string, input: Values): string | undefined {
  return unlessBroken(() => sayVerb(toolOf(language, toolName), input, showOf(language)))
}

/** Values are stored, and may be those of an older release: words that fail on them are no words. */
function unlessBroken<Words>(say: () => Words): Words | undefined {
  try {
    return say()
  } catch {
    return undefined
  }
}

/** Values that people must see although the sentence does not show them. */
function listBesides(own: ToolWords | undefined, names: unknown, input: Values, show: Show): string {
  if (!Array.isArray(names) || names.length === 0) return ''
  const told = names.map((name) => {
    const field = fieldOf(own, String(name))
    const title = field?.short ?? field?.title ?? String(name).replaceAll('_', ' ')
    return `${plainLine(title)}: ${showInShort(input[String(name)], templatesOf(show))}`
  })
  return ` (${told.join(', ')})`
}

/** How the language writes values. */
function showOf({ locale, quotes, timeZone }: Language): Show {
  return showIn(locale, quotes, timeZone)
}

/** The language's words for a tool. They are stored, and may be of another release: without fields they are none. */
export function toolOf({ tools }: Language, name: unknown): ToolWords | undefined {
  const own = typeof name === 'string' && Object.hasOwn(tools, name) ? tools[name] : undefined
  return typeof own?.fields === 'object' && own.fields !== null ? own : undefined
}

/** The language's words for a provider. */
export function providerOf({ providers }: Language, id: unknown): ProviderWords | undefined {
  return typeof id === 'string' && Object.hasOwn(providers, id) ? providers[id] : undefined
}

/** The value if it is an object, else an empty object. */
function valuesIn(value: unknown): Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Values) : {}
}
