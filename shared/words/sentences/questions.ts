import { findFormat } from '../formats.ts'
import { listValues, showValue } from '../list-values.ts'
import type { SaidAbout, SaidParts } from '../said.ts'
import type { Subject } from './subject.ts'

/** A name of a place in a call, for people. */
export interface Label {
  /** `search query`; `"q"` if the name is not made of words; `passenger 2` for a list item. */
  text: string
  /** Whether it takes an article. */
  takesArticle: boolean
  /** What it is a part of: `passenger 2`, `the address`; empty at the top level. */
  owner: string
}

/** What a question about a place is made of, from its schema and what was sent: the values of its sentence. */
export interface AskedPlace {
  /** The author's own words. */
  question?: string | undefined
  hint?: string | undefined
  unfit?: string | undefined
  label?: Label | undefined
  /** It is true or false. */
  isFlag?: boolean | undefined
  /** Every value that fits, if only listed ones do. */
  choices?: readonly unknown[] | undefined
  /** The first sentence of its description. */
  description?: string | undefined
  /** What fits, as its schema says it: `a whole number from 1 to 5`. */
  expected?: string | undefined
  /** What is wrong: a keyword of the schema; `digits` for more of them than can be kept exactly. */
  fault?: string | undefined
  /** The number of the keyword. */
  limit?: number | undefined
  /** What was sent, if it is short; else its type. */
  value?: unknown
  type?: string | undefined
  format?: string | undefined
  example?: string | undefined
}

/** The label inside a sentence: `the search query`, `"q"`, `the first name of passenger 2`. */
export function inSentence({ text, takesArticle, owner }: Label): string {
  return `${takesArticle ? 'the ' : ''}${text}${owner === '' ? '' : ` of ${owner}`}`
}

/**
 * The English question for a value that is missing. `exact`: for a model, which has to know the name as it is; a
 * person sees the field.
 */
export function askMissing(place: AskedPlace, { exact = false } = {}): { asked: string; hint: string } {
  const { question, hint, isFlag = false, description = '' } = place
  const provide = isFlag && description !== '' ? withFullStop(description) : pleaseProvide(place, description)
  return { asked: question ?? questionAbout(place, exact), hint: hint ?? provide }
}

function questionAbout({ label, isFlag, choices }: AskedPlace, exact: boolean): string {
  const name = label && (exact || label.takesArticle) ? inSentence(label) : undefined
  if (isFlag) return `Should ${exact && name ? name : 'it'} be true or false?`
  if (!label || name === undefined) return 'What value should I use?'
  if (!label.takesArticle) return `What value should I use for ${name}?`
  const whose = label.owner === '' ? '' : ` for ${label.owner}`
  return `${choices ? 'Which' : 'What'} ${label.text} should I use${whose}?`
}

/** The author's own words, else what the schema says about the value. */
function pleaseProvide({ choices, expected }: AskedPlace, description = ''): string {
  const allowed = choices?.filter((value) => value !== null) ?? []
  if (allowed.length > 0)
    return `Please ${allowed.length === 1 ? 'use' : 'choose one of:'} ${listValues(allowed)}.`
  return withFullStop(
    `Please provide ${description === '' ? expected || 'its value' : `this: ${description}`}`,
  )
}

function withFullStop(text: string): string {
  return text.endsWith('…') ? text : `${text}.`
}

const typeWords: Readonly<Record<string, string>> = { array: 'a list', object: 'an object' }

/**
 * The English sentence about a value that does not fit. `exact`: for a model: what it sent, and the path of that; a person
 * sees the field.
 */
export function askUnfit(
  place: AskedPlace,
  exact?: { sent: string; path: string; value: unknown },
): { asked: string; hint: string } {
  const { unfit, hint, label, fault, value, type, description = '' } = place
  if (!exact && unfit) return { asked: unfit, hint: '' }
  const sent = exact?.sent ?? (value === secret ? secret : showValue(value))
  const format = fault === 'format' ? findFormat(place) : undefined
  if (format) {
    const { noun, example } = format
    if (!exact && showsSomething(sent))
      return { asked: `${sent} is not a complete ${noun}.`, hint: `For example: ${example}.` }
    return {
      asked: `There seems to be an issue with the ${noun} format.`,
      hint:
        exact && showsSomething(sent)
          ? `Please check that ${sent} in "${exact.path}" is a complete ${noun} like ${example}.`
          : `Please provide a complete ${noun} like ${example}.`,
    }
  }
  const what = label && (exact || label.takesArticle) ? inSentence(label) : 'this value'
  const asked =
    exact ||
    isJson(type) ||
    (value ?? null) === null ||
    value === secret ||
    fault === 'digits' ||
    !showsSomething(sent)
      ? `There seems to be an issue with ${what}.`
      : `${sent} is not valid${label?.takesArticle ? ` as ${what}` : ' here'}.`
  if (fault === 'digits')
    return {
      asked,
      hint: `${exact ? exact.value : value} has more digits than can be kept exactly. ${pleaseProvide(place)}`,
    }
  if (hint) return { asked, hint: [hint, limitPassed(place)].filter(Boolean).join(' ') }
  if (fault === 'uniqueItems') return { asked, hint: 'Please list each item only once.' }
  if (fault !== 'type') return { asked, hint: pleaseProvide(place, fault === 'pattern' ? description : '') }
  if (!exact && value !== undefined && type === undefined) return { asked, hint: pleaseProvide(place) }
  const given = type === undefined ? sent : (typeWords[type] ?? 'nothing')
  return { asked, hint: `${pleaseProvide(place).replace(/\.$/, '')}, not ${given}.` }
}

/** Whether what was sent is a list or an object: people read no JSON. */
function isJson(type: unknown): boolean {
  return type === 'array' || type === 'object'
}

/** Stands for a secret that was sent. */
const secret = '***'

/** Whether anything of a value is visible: some characters have no width. */
function showsSomething(shown: string): boolean {
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(shown.replace(/^"|"$/g, '').replace(/\p{Cf}/gu, ''))
}

/** Hints say what belongs there, rarely how much of it. */
function limitPassed({ fault, limit }: AskedPlace): string | undefined {
  if (fault === 'maxItems') return `At most ${limit} are possible.`
  if (fault === 'minItems') return `At least ${limit} ${limit === 1 ? 'is' : 'are'} needed.`
  if (fault === 'maxLength') return `At most ${limit} characters are possible.`
  return undefined
}

/** What is asked about a place: the author's own question, else one about the field. */
export const askForValue = {
  en: ({ values, question, hint }: SaidAbout): SaidParts => askMissing({ ...values, question, hint }),
  de: ({ question, hint, field }: SaidAbout): SaidParts => ({
    asked: question ?? (field ? `Was soll ich als „${field}“ nehmen?` : 'Was soll ich nehmen?'),
    hint,
  }),
}

/** What a value is not. */
const notThat: Readonly<Record<string, string>> = {
  email: 'keine vollständige E-Mail-Adresse',
  uri: 'keine vollständige Webadresse',
  date: 'kein Datum',
  'date-time': 'kein Datum mit Uhrzeit',
}

function passtNicht({ values, unfit, field, hint, show }: SaidAbout): SaidParts {
  if (unfit) return { asked: unfit }
  const format = notThat[String(values.format)]
  const sent = isJson(values.type) ? undefined : show.value(values.value)
  if (values.fault === 'digits')
    return { asked: `${values.value} hat mehr Stellen, als hier genau erhalten bleiben.`, hint }
  if (format && sent) {
    const example = show.value(values.example)
    return { asked: `${sent} ist ${format}.`, hint: example && `Beispiel: ${values.example}.` }
  }
  if (sent)
    return { asked: field ? `${sent} passt nicht bei „${field}“.` : `${sent} passt hier nicht.`, hint }
  return { asked: field ? `„${field}“ passt so nicht.` : 'Dieser Wert passt so nicht.', hint }
}

/** Questions of a form, and what tools ask and say themselves. */
export const questions = {
  en: {
    value_missing: (about) => askForValue.en(about),
    value_unfit: ({ values, hint, unfit }) => askUnfit({ ...values, hint, unfit }),
    value_not_said(about) {
      const { value, field } = about.values
      if (field === undefined) return 'What should I use?'
      const { asked, hint } = askForValue.en(about)
      return {
        asked,
        hint: joined(
          hint,
          value === undefined || value === null ? '' : `You have not told me ${JSON.stringify(value)}.`,
        ),
      }
    },
    value_not_taken: ({ tool }) => `"${tool}" was given something that it does not accept.`,
    tool_asks: ({ tool, values, hint = helpOf(values) }) => ({
      asked: `${tool} asks: ${values.words}`,
      hint,
    }),
    tool_says: ({ tool, values, hint = helpOf(values) }) => ({
      asked: `${tool} says: ${values.words}`,
      hint,
    }),
  },
  de: {
    value_missing: (about) => askForValue.de(about),
    value_unfit: passtNicht,
    value_not_said(about) {
      const given = about.show.value(about.values.value)
      const { asked, hint } = askForValue.de(about)
      return {
        asked,
        hint: joined(hint, given && `${given} hast du nicht genannt. Wenn es stimmt, gib es hier ein.`),
      }
    },
    value_not_taken: ({ tool }) => `„${tool}“ hat eine Angabe bekommen, die nicht dazugehört.`,
    tool_asks: ({ tool, values, hint }) => ({ asked: `${tool} fragt: ${ownWords(values.words)}`, hint }),
    tool_says: ({ tool, values, hint }) => ({ asked: `${tool} meldet: ${ownWords(values.words)}`, hint }),
  },
} satisfies Subject<
  'value_missing' | 'value_unfit' | 'value_not_said' | 'value_not_taken' | 'tool_asks' | 'tool_says'
>

/** What we say in English of what to enter, where the tool says nothing of it. */
function helpOf({ help }: SaidAbout['values']): string | undefined {
  return typeof help === 'string' ? help : undefined
}

/** A tool's own words; only what we have put into them is ours. */
export function ownWords(words: unknown): string {
  return String(words ?? '').replaceAll('(link left out)', '(Link weggelassen)')
}

function joined(...parts: (string | undefined)[]): string {
  return parts.filter(Boolean).join(' ')
}
