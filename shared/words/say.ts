import { type Done, showInShort } from './fill-template.ts'
import { sayConfirm, sayPast as sayPastOf, saySummary, sayVerb, templatesOf } from './fill-words.ts'
import { fieldOf, wordFor } from './form-words.ts'
import { withoutHidden } from './hidden-marks.ts'
import type { Language } from './language.ts'
import { plainLine } from './quoted-value.ts'
import type { SaidAbout, SaidParts } from './said.ts'
import { needsOf } from './sentence-codes.ts'
import { type Show, showIn } from './show.ts'
import type { Known, ProviderWords, ToolWords, Values } from './tool-words.ts'

/** A sentence from the engine, the database or an integration: its code and values, and its English text if it has one. */
export interface OwnSentence {
  code?: string | undefined
  values?: Values | undefined
  text?: string | undefined
}

/**
 * A sentence in the language, or else in English, or else as it was given; without a text, what it is about, with its
 * values. `input`: the call that it is about.
 */
export function sayOwn(language: Language, { code, values, text }: OwnSentence, input?: Values): string {
  const spoken = [language, language.otherwise].map(
    (one) => one && joinParts(saidParts(one, code, values, input)),
  )
  return spoken.find((said) => said !== undefined) ?? text ?? sayPlainly(language, values, input)
}

/** What is left to say where nobody has words: the title of the tool, and the values of its call. */
export function sayPlainly(
  language: Language,
  values: Values = {},
  input: Values = valuesIn(values.input),
): string {
  const { value } = showOf(language)
  const title = toolOf(language, values.toolName)?.title ?? String(values.tool ?? values.toolName ?? '')
  const named = Object.entries(input).map(([name, one]) => `${name}: ${value(one) ?? '–'}`)
  return [withoutHidden(title), named.join(', ')].filter(Boolean).join(': ') || '–'
}

/**
 * A sentence in its parts; without values that it needs, only its meaning. Undefined if the language has no words for
 * it: the given text is shown then. It never throws.
 */
export function saidParts(
  language: Language,
  code: string | undefined,
  values: Values = {},
  input?: Values,
): SaidParts | undefined {
  if (code === undefined || !Object.hasOwn(language.said, code)) return undefined
  const isWhole = (needsOf[code] ?? []).every((name) => !isNothing(values[name]))
  const said = isWhole
    ? unlessBroken(() => language.said[code]?.(aboutOf(language, values, input)))
    : language.meanings[code]
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

/** Values that say nothing are as good as left out; what somebody has sent may be nothing. */
function withoutNothing(values: Values): Values {
  const said = Object.entries(values).filter(([name, value]) => name === 'value' || !isNothing(value))
  return Object.fromEntries(said)
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === ''
}

function aboutOf(language: Language, given: Values, input: Values = valuesIn(given.input)): SaidAbout {
  const values = withoutNothing(given)
  const own = toolOf(language, values.toolName)
  const show = showOf(language)
  const provider = providerOf(language, values.providerId)
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
  const asStatement = (question: string | undefined, beside: string) =>
    own && (question?.replace(/[?？]\s*$/, '') ?? own.title) + beside
  const done = saySummary(own, earlier, values.output, show, known)
  return {
    values,
    show,
    tool: own?.title ?? text(values.tool) ?? '',
    field: place?.title ?? text(values.field) ?? '',
    provider: text(values.provider) ?? '',
    purpose: provider?.purpose,
    account: provider?.account,
    question: place?.question ?? text(values.question),
    hint: place?.hint ?? text(values.hint),
    choice: place?.choices?.[String(values.value)],
    unfit: place?.unfit ?? text(values.unfit),
    // A tool without a question of its own is named, with its values.
    confirm: asked === undefined ? own && `${own.title}${besides}?` : asked + besides,
    toDo: asStatement(asked, besides),
    statement: asStatement(stated, besidesEarlier),
    done: done === undefined ? undefined : done + besidesEarlier,
    past: sayPastOf(own, input, show),
    tools: () =>
      [values.tools ?? []].flat().map((title, index) => {
        const name = (values.toolNames as unknown[] | undefined)?.[index]
        return toolOf(language, name)?.title ?? withoutHidden(String(title))
      }),
    why: () => sayWhy(language, values),
  }
}

/** The reason in a sentence; older releases have stored its English words. */
function sayWhy(language: Language, { why, whyValues, whyText }: Values): string | undefined {
  if (typeof why !== 'string') return undefined
  const text = typeof whyText === 'string' ? withoutHidden(whyText) : undefined
  return sayWithin(language, { code: why, values: valuesIn(whyValues), text })
}

/** A sentence in another one. Throws if only English has words for it: then all of it is said in English. */
function sayWithin(language: Language, said: OwnSentence): string {
  const { otherwise } = language
  const isIn = (one: Language) => said.code !== undefined && Object.hasOwn(one.said, said.code)
  if (otherwise && isIn(otherwise) && !isIn(language))
    throw new Error(`${language.locale} has no words for ${said.code}.`)
  return sayOwn(language, said)
}

/** What a call did, in one line; undefined if the language has no words for it. */
export function sayDone(
  language: Language,
  toolName: string,
  input: Values,
  { output, known = {} }: Done,
): string | undefined {
  const own = toolOf(language, toolName)
  return unlessBroken(() => saySummary(own, input, output, showOf(language), known))
}

/** Why a request is refused, in the language, or else in English. */
export function sayRefusal(language: Language, refusal: Refusal): string {
  const { otherwise } = language
  return refusalIn(language, refusal) || (otherwise && refusalIn(otherwise, refusal)) || refusal.code
}

interface Refusal {
  code: string
  values?: object | undefined
}

/** Empty if the language has no words for it. */
function refusalIn(language: Language, { code, values = {} }: Refusal): string {
  const say = Object.hasOwn(language.refusals, code) ? language.refusals[code] : ''
  if (typeof say !== 'function') return say ?? ''
  return say(values as never, { show: showOf(language), say: (said) => sayWithin(language, said) })
}

/** The verb on the button of a call; undefined if the language has none for it. */
export function sayButton(language: Language, toolName: string, input: Values): string | undefined {
  return unlessBroken(() => sayVerb(toolOf(language, toolName), input, showOf(language)))
}

/** What a call is once it is made; undefined if the language has no word for it. */
export function sayPast(language: Language, toolName: string, input: Values): string | undefined {
  return unlessBroken(() => sayPastOf(toolOf(language, toolName), input, showOf(language)))
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
  const shown = names.map((name) => {
    const field = fieldOf(own, String(name))
    const title = field?.short ?? field?.title ?? String(name).replaceAll('_', ' ')
    const value = input[String(name)]
    const word = wordFor(own)(String(name), value)
    return `${plainLine(title)}: ${showInShort(word ?? value, templatesOf(show))}`
  })
  return ` (${shown.join(', ')})`
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
