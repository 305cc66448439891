import { pastedData, type Span } from './pasted-data.ts'
import { pastedMailStart, readsAsAttribution } from './pasted-mail.ts'

/** A message's own text, and what it only quotes. */
export interface SplitText {
  own: string
  quoted: string
}

/**
 * Splits a person's message into their own words and quotations, by shape alone: front ends put documents and
 * histories into tags and fences, people paste mails. Quotations are
 * - the contents of a closed tag, including attributes, from its first opening to its last closing mark;
 * - the attributes of any other tag, comments and CDATA sections (`<![CDATA[`);
 * - a code fence, from the first mark to the last, since it may contain marks itself; to the end, if it is never closed;
 * - lines that start with `>`, with the line above that says who wrote them;
 * - what stands for a picture (`![…](…)`);
 * - what a program wrote: chats, logs, JSON, tables, indented blocks (`pastedData`);
 * - everything from the header of a pasted mail on.
 *
 * @example
 * splitQuoted('Mail it to ada@example.com\n> from bob@example.com').own.trim() // => 'Mail it to ada@example.com'
 */
export function splitQuoted(text: string): SplitText {
  const tags = taggedSpans(text)
  const spans = [
    ...tags,
    ...fencedSpans(text, tags),
    ...quotedLines(text),
    ...pictureTexts(text),
    ...pastedData(text),
  ]
  const { own, quoted } = cut(text, spans)
  const start = pastedMailStart(own)
  if (start === undefined) return { own, quoted }
  return { own: own.slice(0, start), quoted: `${quoted}\n${own.slice(start)}` }
}

/** Parts on both sides of a cut never become one word. */
function cut(text: string, spans: Span[]): SplitText {
  const own: string[] = []
  const quoted: string[] = []
  let at = 0
  for (const { start, end } of spans.sort((a, b) => a.start - b.start)) {
    if (end <= at) continue
    if (start > at) own.push(text.slice(at, start))
    quoted.push(text.slice(Math.max(at, start), end))
    at = end
  }
  if (at < text.length) own.push(text.slice(at))
  return { own: own.join('\n'), quoted: quoted.join('\n') }
}

/** The name may be anything except a mark: only closed ones count, and nobody closes what is not a tag. */
const tagMark = /<(\/?)([^\s<>/@"'=]+)(?=[\s/>])/g
/** Not a tag, but quotes all the same. */
const otherMarks = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
] as const

function taggedSpans(text: string): Span[] {
  if (!text.includes('<')) return []
  const tags = new Map<string, Span>()
  const starts: number[] = []
  for (const { 0: mark, 1: slash, 2: written = '', index } of text.matchAll(tagMark)) {
    const name = written.toLowerCase()
    const tag = tags.get(name)
    if (slash === '') starts.push(index)
    if (slash === '' && !tag) tags.set(name, { start: index, end: index })
    if (slash === '/' && tag) tag.end = endOfMark(text, index + mark.length)
  }
  for (const [opening, closing] of otherMarks) {
    const start = text.indexOf(opening)
    const last = text.lastIndexOf(closing)
    if (start >= 0 && last > start) tags.set(opening, { start, end: last + closing.length })
  }
  return [...[...tags.values()].filter(({ start, end }) => end > start), ...marksWithAttributes(text, starts)]
}

/** The position after the `>` of a closing mark. */
function endOfMark(text: string, from: number): number {
  let at = from
  while (/\s/.test(text.charAt(at))) at++
  return text.charAt(at) === '>' ? at + 1 : from
}

/** Opening marks with an attribute, or that close themselves; `starts` in order. */
function marksWithAttributes(text: string, starts: readonly number[]): Span[] {
  const spans: Span[] = []
  const ends = endsOfOpenings(text, starts)
  for (const [number, start] of starts.entries()) {
    const end = ends[number] ?? -1
    if (end < 0 || start < (spans.at(-1)?.end ?? 0)) continue
    const mark = text.slice(start, end)
    if (/\s/.test(mark) && (mark.includes('=') || mark.endsWith('/>'))) spans.push({ start, end })
  }
  return spans
}

/**
 * Where each opening mark ends: after the first `>` outside quotes; -1 if a `<` comes before it. Scans from the end to
 * the start, so that no text is read twice.
 */
function endsOfOpenings(text: string, starts: readonly number[]): number[] {
  const ends: number[] = []
  let next = starts.length - 1
  // Where a mark would end that is read from here on: outside quotes, in double quotes, in single quotes.
  let plain = -1
  let double = -1
  let single = -1
  for (let at = text.length - 1; next >= 0; at--) {
    if (at === starts[next]) ends[next--] = plain
    const sign = text[at]
    if (sign === '>') plain = at + 1
    else if (sign === '<') plain = -1
    else if (sign === '"') [plain, double] = [double, plain]
    else if (sign === "'") [plain, single] = [single, plain]
  }
  return ends
}

/** Three or more backticks anywhere; tildes, which also end a friendly sentence, only at the start of a line. */
const fenceMark = /`{3,}|(?=~)(?<=(?:^|\n)[ \t]{0,20})~{3,}/g

/** A fence left open inside a tag ends with it: front ends cut documents anywhere. */
function fencedSpans(text: string, tags: readonly Span[]): Span[] {
  const spans = joined(tags)
  let inside = 0
  let open: string | undefined
  let span: Span | undefined
  for (const { 0: mark, index } of text.matchAll(fenceMark)) {
    span ??= { start: index, end: index }
    span.end = index + mark.length
    while ((spans[inside]?.end ?? text.length) <= index) inside++
    if ((spans[inside]?.start ?? text.length) <= index) continue
    if (open === undefined) open = mark
    else if (mark.startsWith(open)) open = undefined
  }
  if (!span) return []
  return [open === undefined ? span : { start: span.start, end: text.length }]
}

/** Merges overlapping spans, in order. */
function joined(spans: readonly Span[]): Span[] {
  const all: Span[] = []
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    const last = all.at(-1)
    if (last && start <= last.end) last.end = Math.max(last.end, end)
    else all.push({ start, end })
  }
  return all
}

/** `![What it shows](https://…)`: nobody types that. */
const picture = /!\[[^[\]\n]{0,500}\]\([^()\n]{0,4000}\)/g

function pictureTexts(text: string): Span[] {
  return [...text.matchAll(picture)].map(({ 0: whole, index }) => ({
    start: index,
    end: index + whole.length,
  }))
}

const quoteMark = /^[ \t]*(?:>|＞|&gt;)/

/** Only a line feed ends a line: quoting puts marks after those, and after nothing else. */
function quotedLines(text: string): Span[] {
  const spans: Span[] = []
  const above: Span[] = []
  let start = 0
  for (const line of text.split('\n')) {
    const end = start + line.length
    if (quoteMark.test(line)) {
      const attribution = above.findLast((one) => readsAsAttribution(text.slice(one.start, one.end), true))
      spans.push({ start: attribution?.start ?? start, end })
      above.length = 0
    } else if (line.trim() !== '') {
      // It may be wrapped: the last line, and the last two as one.
      const before = above.at(-1)
      above.splice(0, above.length, ...(before ? [{ start: before.start, end }] : []), { start, end })
    }
    start = end + 1
  }
  return spans
}
