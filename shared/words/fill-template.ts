import { quotedValue } from './quoted-value.ts'

/** What earlier outputs of the conversation say about the thing that a parameter names by its id. */
export type FindRecord = (parameter: string, id: unknown) => Record<string, unknown> | undefined

/** What is known of the things that a call names by their ids, by parameter. */
export type Records = Readonly<Record<string, readonly Record<string, unknown>[]>>

/** The values for a template. */
export interface TemplateValues {
  args: Record<string, unknown>
  /** What the call returned, as `{output.…}`. */
  output?: unknown
  known?: Records
  /** The word for a value of a parameter that has choices; undefined if it has none. */
  wordFor?: (parameter: string, value: unknown) => string | undefined
}

/** What a summary tells besides the arguments of its call: values of the output, and what is known of ids. */
export interface Done {
  output?: Record<string, unknown>
  known?: Records
}

/** How a language writes what a template shows. */
export interface TemplateLanguage {
  /** A text in quotation marks that it cannot close, or a number. */
  value(value: unknown): string
  /** The first of several values, and how many others there are: `"ada@example.com" and 3 others`. */
  others(first: string, count: number): string
  /** What is named of a list, and how much more there is: `"Plan", "Draft" and 2 more`. */
  more(named: string, count: number): string
}

/** As authors of tools write it. */
const inEnglish: TemplateLanguage = {
  value: quotedValue,
  others: (first, count) => `${first} and ${count} other${count === 1 ? '' : 's'}`,
  more: (named, count) => `${named} and ${count} more`,
}

/** Things of a list that are described individually. */
const mostNamed = 5
/** Values of a list that a sentence names individually. */
const mostListed = 3

const part = /\[((?:[^[\]{}]|\{[^{}]*\})+)\]|"?\{([^{}"]{1,400})\}"?/g
const alternative = /(?:[^|{}]|\{[^{}]*\})+/g

/**
 * A sentence for people from a tool's template (`confirm`, `summary`, `button`) and the values of a call:
 * - `{subject}`: the value in quotes, or a dash if there is none; `{output.title}`: a value of the output;
 * - `{message_ids#email|emails}`: how many, with the noun; items with `ok: false` do not count;
 * - `{to~people}`: the values of a list; the number if there are more than three: `60 people`;
 * - `{to,cc,bcc~people}`: the first value of several lists and the number of others: `"ada@example.com" and 3 others`;
 *   in words of its own: `{to,cc,bcc~people|and one more person|and # more people}`;
 * - `{document_id:title}`, `{message_ids:subject,from}`: what earlier outputs of the conversation say about an id;
 *   with another word before a member: `{message_ids:subject,from=by}`;
 * - `{action=delete:Delete|archive:Archive}`: words by value;
 * - `[the document {document_id:title}|a document]`: the first of these whose values are all known, else nothing.
 *
 * @example
 * fillTemplate('Sent "{subject}" to {to}', { args: { subject: 'Hi', to: ['ada@example.com'] } })
 * // => 'Sent "Hi" to "ada@example.com"'
 * fillTemplate('Delete {ids#email|emails}[ of {who}]', { args: { ids: ['a', 'b'] } }) // => 'Delete 2 emails'
 */
export function fillTemplate(
  template: string,
  values: TemplateValues,
  language: TemplateLanguage = inEnglish,
): string {
  return fill(template, values, language).text
}

function fill(
  template: string,
  values: TemplateValues,
  language: TemplateLanguage,
): { text: string; isKnown: boolean } {
  let isKnown = true
  const text = template.replace(part, (whole, section: string | undefined, place: string | undefined) => {
    if (section !== undefined) {
      // Brackets around plain words are the author's own.
      return section.includes('{') ? chooseKnown(section, values, language) : whole
    }
    const shown = place === undefined ? undefined : showPlace(place, values, language)
    if (shown === undefined) isKnown = false
    return shown ?? '–'
  })
  return { text, isKnown }
}

function chooseKnown(section: string, values: TemplateValues, language: TemplateLanguage): string {
  for (const [option] of section.matchAll(alternative)) {
    const { text, isKnown } = fill(option, values, language)
    if (isKnown) return text
  }
  return ''
}

/** Undefined if nothing is known about it. */
function showPlace(place: string, values: TemplateValues, language: TemplateLanguage): string | undefined {
  const [, path = '', kind, more = ''] = /^([^:#=~]+)([:#=~])?(.*)$/s.exec(place) ?? []
  const value = kind === '~' ? undefined : readValue(path, values)
  switch (kind) {
    case '#':
      return showCount(value, more, language)
    case '~':
      return showLists(
        path.split(',').map((name) => [readValue(name, values) ?? []].flat()),
        more,
        language,
      )
    case ':':
      return showRecords(path, value, more.split(','), values, language)
    case '=':
      return more
        .split('|')
        .find((option) => option.startsWith(`${value}:`))
        ?.slice(`${value}:`.length)
    default:
      return isFilled(value) ? showValue(inWords(path, value, values), language) : undefined
  }
}

/** A value in the words of its parameter, if that has words for it; of a list, each item. */
function inWords(parameter: string, value: unknown, { wordFor }: TemplateValues): unknown {
  if (Array.isArray(value)) return value.map((item) => wordFor?.(parameter, item) ?? item)
  return wordFor?.(parameter, value) ?? value
}

function readValue(path: string, { args, output }: TemplateValues): unknown {
  const [first = '', ...rest] = stepsOf(path)
  return first === 'output' ? valueAt(output, rest) : valueAt(args, [first, ...rest])
}

/** `['to', '0', 'email']` for `to[0].email`. */
function stepsOf(path: string): string[] {
  return path.split(/[.[\]]+/).filter((name, index) => name !== '' || index === 0)
}

function valueAt(root: unknown, steps: readonly string[]): unknown {
  return steps.reduce(
    (value, name) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, name)
        ? (value as Record<string, unknown>)[name]
        : undefined,
    root,
  )
}

function showCount(value: unknown, words: string, language: TemplateLanguage): string | undefined {
  const count = countOf(value)
  if (typeof count !== 'number') return undefined
  const [one = '', many = one] = words.split('|')
  return `${language.value(count)} ${count === 1 ? one : many}`
}

/** The number of things in a list that did not fail; anything else as it is, since lists are stored as their numbers. */
function countOf(value: unknown): unknown {
  return Array.isArray(value)
    ? value.filter((item) => (item as { ok?: unknown } | null)?.ok !== false).length
    : value
}

/** Lists on one line: the values of the first list, or its first value and the number of all others. */
function showLists(
  lists: readonly unknown[][],
  words: string,
  language: TemplateLanguage,
): string | undefined {
  const [many = '', other, others = other ?? ''] = words.split('|')
  const all = lists.flat().filter(isFilled)
  const [first = []] = lists
  if (all.length === 0) return undefined
  if (first.length > mostListed) return `${language.value(all.length)} ${many}`
  if (all.length === first.length || all.length === 1) return showValue(all, language)
  const named = showValue(all[0], language)
  const count = all.length - 1
  if (other === undefined) return language.others(named, count)
  return `${named} ${(count === 1 ? other : others).replace('#', () => language.value(count))}`
}

/** Each thing by its first member, followed by the others: `"Invoice" from "eve@example.com"`. */
function showRecords(
  parameter: string,
  value: unknown,
  members: readonly string[],
  { known = {} }: TemplateValues,
  language: TemplateLanguage,
): string | undefined {
  const [first, ...others] = members.map(readMember)
  const named = (known[parameter] ?? []).flatMap((record) => {
    if (first === undefined || !isFilled(record[first.name])) return []
    const telling = others.filter(({ name }) => isFilled(record[name]))
    const words = telling.map(({ name, word }) => `${word} ${showValue(record[name], language)}`)
    return [showValue(record[first.name], language), ...words].join(' ')
  })
  if (named.length === 0) return undefined
  const rest = [value ?? []].flat().length - named.length
  return rest > 0 ? language.more(named.join(', '), rest) : named.join(', ')
}

/** `from=by`: a member, and the word before its value, by default its name. */
function readMember(member: string): { name: string; word: string } {
  const [name = '', word = name] = member.split('=')
  return { name, word }
}

/** Whether a value says anything. */
export function isFilled(value: unknown): boolean {
  return (
    value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0)
  )
}

/** A value in a sentence: texts in quotes that they cannot close. */
function showValue(value: unknown, language: TemplateLanguage): string {
  if (!isFilled(value)) return '–'
  return Array.isArray(value)
    ? value.map((item) => showValue(item, language)).join(', ')
    : language.value(value)
}

/** A value in a short sentence: of a long list the first values, and how many more there are. */
export function showInShort(value: unknown, language: TemplateLanguage = inEnglish): string {
  if (!Array.isArray(value) || value.length <= mostListed) return showValue(value, language)
  return language.more(showValue(value.slice(0, mostListed), language), value.length - mostListed)
}

/**
 * What earlier outputs say about the things that a template names by id, as far as it shows them: by parameter.
 *
 * @example
 * const find = () => ({ title: 'Plan', url: 'https://example.com' })
 * recordsIn('Share {document_id:title}?', { document_id: 'a' }, find) // => { document_id: [{ title: 'Plan' }] }
 */
export function recordsIn(
  template: string,
  args: Record<string, unknown>,
  find: FindRecord | undefined,
): Record<string, Record<string, unknown>[]> {
  const members = new Map<string, string[]>()
  for (const [, name = '', more = ''] of template.matchAll(recordPlace))
    members.set(name, [
      ...(members.get(name) ?? []),
      ...more.split(',').map((member) => readMember(member).name),
    ])
  const named = [...members].flatMap(([name, shown]): [string, Record<string, unknown>[]][] => {
    const ids: unknown[] = [args[name] ?? []].flat()
    const records = ids.slice(0, mostNamed).flatMap((id) => [find?.(name, id) ?? []].flat())
    return records.length > 0 ? [[name, records.map((record) => pick(record, shown))]] : []
  })
  return Object.fromEntries(named)
}

/**
 * What a summary shows of an output, as `showCount` and the others read it: of a list that is only counted, the number.
 *
 * @example
 * outputIn('Found {output.items#item|items} in "{output.title}"', { title: 'Plan', items: ['a', 'b'], text: '…' })
 * // => { items: 2, title: 'Plan' }
 */
export function outputIn(template: string, output: unknown): Record<string, unknown> {
  const shown: Record<string, unknown> = {}
  for (const [, place = ''] of template.matchAll(anyPlace)) {
    const [, paths = '', kind] = /^([^:#=~]+)([:#=~])?/.exec(place) ?? []
    for (const path of paths.split(',')) {
      const [first, ...steps] = stepsOf(path)
      const value = first === 'output' ? valueAt(output, steps) : undefined
      if (isFilled(value)) put(shown, steps, kind === '#' ? countOf(value) : value)
    }
  }
  return shown
}

function put(root: Record<string, unknown>, steps: readonly string[], value: unknown): void {
  const [name, ...rest] = steps
  if (name === undefined) return
  if (rest.length === 0) root[name] ??= value
  else {
    const inner = root[name] ?? {}
    root[name] = inner
    if (typeof inner === 'object') put(inner as Record<string, unknown>, rest, value)
  }
}

function pick(record: Record<string, unknown>, members: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    members.filter((name) => isFilled(record[name])).map((name) => [name, record[name]]),
  )
}

const recordPlace = /\{([^{}:#=~]+):([^{}|]+)\}/g

/** The parameters that a template looks up: `document_id` of `{document_id:title}`. */
export function lookedUpIn(template: string): string[] {
  return [...template.matchAll(recordPlace)].map(([, name = '']) => name)
}

const anyPlace = /\{([^{}"]{1,400})\}/g

/**
 * The parameters that a template names, whatever it shows of them.
 *
 * @example
 * parametersIn('Share [{document_id:title}|it] with {to[0]}: {output.url}') // => ['document_id', 'to']
 */
export function parametersIn(template: string): string[] {
  const names = [...template.matchAll(anyPlace)].flatMap(([, text = '']) =>
    (/^[^:#=~]+/.exec(text)?.[0] ?? '').split(','),
  )
  const first = names.map((path) => stepsOf(path)[0] ?? '')
  return [...new Set(first)].filter((name) => name !== '' && name !== 'output')
}
