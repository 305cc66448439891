import { endingCalls, namedThoughts } from './families.ts'
import { controlToken, isClosing, isMention, isThoughtMark, markSearch, tag } from './marks.ts'

export interface SplitReply {
  thoughts: string
  /** The rest, for the reader. */
  text: string
  /** Only the end of the thoughts was written: their beginning stands in the prompt. */
  isUnopened: boolean
}

/** Blocks and marks beyond these are left alone, which bounds the time for hostile texts. */
const most = 64

/**
 * Separates the thoughts that local servers leave in the text of reasoning models, in every documented form and in marks
 * whose names say so. A block that never ends is all thinking; marks that are only spoken of are words.
 *
 * @example
 * splitThoughts('<think>Hm.</think>\n\nHello').text // => 'Hello'
 * splitThoughts('Hm.\n</think>\n\nHello').text // => 'Hello'
 * splitThoughts('Use the <think> tag.').text // => 'Use the <think> tag.'
 */
export function splitThoughts(reply: string): SplitReply {
  if (!mayThink.test(reply)) return { thoughts: '', text: reply, isUnopened: false }
  const thoughts: string[] = []
  let text = reply
  let isUnopened = false
  for (let blocks = 0; blocks < most; blocks++) {
    const block = blockAtStart(text)
    if (block === undefined) break
    thoughts.push(block.thought)
    text = text.slice(block.end).trimStart()
  }
  for (let blocks = 0; thoughts.length === blocks && blocks < most; blocks++) {
    const end = unopenedEnd(text)
    const rest = end === undefined ? '' : text.slice(end.end).trimStart()
    if (end === undefined) break
    isUnopened = true
    // Behind an answer, the mark is only noise.
    if (rest === '' && blocks > 0) text = text.slice(0, end.start)
    else {
      thoughts.push(text.slice(0, end.start))
      text = rest
    }
  }
  const within = cutBlocksWithin(text)
  return { thoughts: [...thoughts, ...within.thoughts].join('\n').trim(), text: within.text, isUnopened }
}

const mayThink = /[<[]|^\s*(?:Here|[^\p{L}\p{N}\s])/u

interface Block {
  thought: string
  end: number
}

/** The first thing of a reply: control tokens that mean nothing may stand before it. */
const start = new RegExp(
  String.raw`^\s*(?:<\|(?:im_start|start_header_id|START_OF_TURN_TOKEN|start)\|>\s*(?:assistant)?\s*(?:<\|end_header_id\|>)?\s*)?(${controlToken}|${tag})?`,
)

/** How the thoughts begin at the start of a text, if they do: what is expected at their end. */
export function openedThoughts(
  text: string,
): { length: number; close: string | undefined; isWords: boolean } | undefined {
  const blanks = text.length - text.trimStart().length
  for (const [open, close] of namedThoughts) {
    if (text.startsWith(open, blanks))
      return { length: blanks + open.length, close, isWords: !/^[<[]/.test(open) }
  }
  const found = start.exec(text)
  const mark = found?.[1]
  if (found === null || mark === undefined) return openedBrackets(text)
  if (!isThoughtMark(mark) || isClosing(mark)) return undefined
  return { length: found[0].length, close: undefined, isWords: false }
}

const thoughtWord = /(?:think|thought|reason|reflect|scratchpad|思考)\p{L}{0,10}/u.source
const bracketed = [3, 2, 1].map(
  (signs) =>
    new RegExp(`^\\s*([^\\p{L}\\p{N}\\s]{${signs}})(${thoughtWord})([^\\p{L}\\p{N}\\s]{${signs}})`, 'iu'),
)

/** A word for thoughts between signs that no family has: `{{think}}`, whose end would be `{{/think}}`. */
function openedBrackets(text: string): ReturnType<typeof openedThoughts> {
  for (const pattern of bracketed) {
    const found = pattern.exec(text)
    // Without its end it is a word.
    if (found) return { length: found[0].length, close: `${found[1]}/${found[2]}${found[3]}`, isWords: true }
  }
  return undefined
}

function blockAtStart(text: string): Block | undefined {
  const opened = openedThoughts(text)
  if (opened === undefined) return undefined
  const close = findEnd(text, opened.length, opened.close)
  if (close !== undefined) return { thought: text.slice(opened.length, close.start), end: close.end }
  // Words that announce thoughts may be the answer.
  if (opened.isWords) return undefined
  const calls = endingCalls.map((call) => text.indexOf(call, opened.length)).filter((at) => at >= 0)
  const end = calls.length > 0 ? Math.min(...calls) : text.length
  return { thought: text.slice(opened.length, end), end }
}

export interface Place {
  start: number
  end: number
}

const answerMark = /response|answer|final|content|output|reply/i

/** The end of thoughts that have begun before `from`. */
function findEnd(text: string, from: number, close: string | undefined): Place | undefined {
  if (close !== undefined) {
    const at = text.indexOf(close, from)
    return at < 0 ? undefined : { start: at, end: at + close.length }
  }
  const marks = markSearch()
  marks.lastIndex = from
  let spoken: Place | undefined
  let answer: Place | undefined
  for (let tries = 0; tries < most; ) {
    const mark = marks.exec(text)
    if (mark === null) break
    const place = { start: mark.index, end: marks.lastIndex }
    if (isThoughtMark(mark[0]) && isClosing(mark[0])) {
      tries++
      if (!isMention(text, place.start, place.end)) return place
      spoken ??= place
    } else if (answerMark.test(mark[0]) && !isClosing(mark[0])) answer ??= place
  }
  return spoken ?? answer
}

/** Where thoughts certainly end in a part of a stream; undefined if they may go on. `close`: what is expected. */
export function findSureEnd(text: string, close: string | undefined): number | undefined {
  if (close !== undefined) return findEnd(text, 0, close)?.end
  const place = unopenedEnd(text)
  // A mark at the end of the part may still turn out to be a word.
  return place === undefined || cutEnd.test(text.slice(-10)) ? undefined : place.end
}

const closers = new Set(
  namedThoughts.map(([, close]) => close).filter((close) => !/^<\|end\|>$| /.test(close)),
)
/** A stream that was cut within the end of the thoughts. */
const cutEnd = /<\/t(?:h(?:i(?:n(?:k)?)?)?)?$/

function unopenedEnd(text: string): Place | undefined {
  const marks = markSearch()
  for (let tries = 0; tries < most; ) {
    const mark = marks.exec(text)
    if (mark === null) break
    const isEnd = closers.has(mark[0]) || (isThoughtMark(mark[0]) && isClosing(mark[0]))
    if (!isEnd && !isOpening(mark[0])) continue
    tries++
    const place = { start: mark.index, end: marks.lastIndex }
    if (!isMention(text, place.start, place.end)) return isEnd ? place : undefined
  }
  const cut = cutEnd.exec(text.slice(-10))
  return cut === null ? undefined : { start: text.length - cut[0].length, end: text.length }
}

function isOpening(mark: string): boolean {
  return (isThoughtMark(mark) && !isClosing(mark)) || namedThoughts.some(([open]) => open === mark)
}

/** Thoughts between words; a block that does not end there is words. */
function cutBlocksWithin(text: string): { thoughts: string[]; text: string } {
  const thoughts: string[] = []
  let left = ''
  let past = 0
  const marks = markSearch()
  for (let tries = 0; tries < most; ) {
    const mark = marks.exec(text)
    if (mark === null) break
    if (!isOpening(mark[0])) continue
    tries++
    if (isMention(text, mark.index, marks.lastIndex)) continue
    const named = namedThoughts.find(([open]) => open === mark[0])?.[1]
    const end = findEnd(text, marks.lastIndex, named)
    if (end === undefined) break
    left += text.slice(past, mark.index)
    thoughts.push(text.slice(marks.lastIndex, end.start))
    past = end.end
    marks.lastIndex = end.end
  }
  return { thoughts, text: past === 0 ? text : left + text.slice(past) }
}
