import { pastedMailStart, readsAsAttribution } from './pasted-mail.ts'

interface Span {
  start: number
  end: number
}

/** What a message says itself, and what it only quotes. */
export interface SplitText {
  own: string
  quoted: string
}

/**
 * Splits a person's message into their own words and what it quotes, by shape alone: front ends put documents and
 * histories into tags and fences, people put mails there. Quoted is what stands
 * - in a tag that is closed, attributes included, from its first opening to its last closing mark;
 * - in a code fence, from the first mark to the last: what is fenced may hold marks of its own. Open, to the end;
 * - in lines that begin with `>`, with the line above that says who wrote them;
 * - from the header of a pasted mail on, to the end.
 *
 * @example
 * splitQuoted('Mail it to ada@example.com\n> from bob@example.com').own.trim() // => 'Mail it to ada@example.com'
 */
export function splitQuoted(text: string): SplitText {
  const spans = [...taggedSpans(text), ...fencedSpans(text), ...quotedLines(text)]
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

const tagMark = /<(\/?)([\p{L}_][\p{L}\p{N}\p{M}_:.-]{0,99})(?=[\s/>])/gu
const closedInItself = /<[\p{L}_][\p{L}\p{N}\p{M}_:.-]{0,99}\s[^<>]{0,2000}\/>/gu

function taggedSpans(text: string): Span[] {
  if (!text.includes('<')) return []
  const tags = new Map<string, Span>()
  for (const { 0: mark, 1: slash, 2: written = '', index } of text.matchAll(tagMark)) {
    const name = written.toLowerCase()
    const tag = tags.get(name)
    if (slash === '' && !tag) tags.set(name, { start: index, end: index })
    if (slash === '/' && tag) tag.end = endOfMark(text, index + mark.length)
  }
  const alone = [...text.matchAll(closedInItself)].map(({ 0: tag, index }) => ({
    start: index,
    end: index + tag.length,
  }))
  return [...[...tags.values()].filter(({ start, end }) => end > start), ...alone]
}

/** Behind the `>` of a closing mark. */
function endOfMark(text: string, from: number): number {
  let at = from
  while (/\s/.test(text.charAt(at))) at++
  return text.charAt(at) === '>' ? at + 1 : from
}

/** Three or more backticks anywhere; tildes, which also end a friendly sentence, only where a line begins. */
const fenceMark = /`{3,}|(?<=(?:^|\n)[ \t]{0,20})~{3,}/g

function fencedSpans(text: string): Span[] {
  let open: string | undefined
  let span: Span | undefined
  for (const { 0: mark, index } of text.matchAll(fenceMark)) {
    span ??= { start: index, end: index }
    if (open === undefined) open = mark
    else if (mark.startsWith(open)) {
      open = undefined
      span.end = index + mark.length
    }
  }
  if (!span) return []
  return [open === undefined ? span : { start: span.start, end: text.length }]
}

const quoteMark = /^[ \t]*(?:>|＞|&gt;)/

/** Only a line feed ends a line: whoever quotes a text puts their marks behind those, and behind nothing else. */
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
