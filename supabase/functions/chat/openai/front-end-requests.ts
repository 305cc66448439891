import type { GivenMessage } from './earlier-messages.ts'
import { wordsOf } from './typed-words.ts'

/** A line of a written-down chat: who speaks, then what is said. */
const spoken = /^[\p{L}][\p{L} ]{0,30}:(?: |$)/u
const heading = /^#{1,6} ?\S/

/**
 * Whether a front end asks for its own purposes without a header that says so: a single message, which is a task under
 * headings and quotes a chat, with no words after it. In doubt it is a user's message, which costs one question at most: a
 * list of how such requests start would never be complete.
 */
export function isFrontEndRequest(given: readonly GivenMessage[]): boolean {
  const messages = given.filter(({ role }) => role !== 'system')
  const [message] = messages
  if (messages.length !== 1 || message?.role !== 'user') return false
  const text = wordsOf(message.content)
  const blocks = findBlocks(text)
  const last = blocks.findLastIndex(({ quoted }) => spoken.test(quoted.trim()))
  const history = blocks[last]
  if (history === undefined || text.search(heading) !== 0) return false
  const headings = linesOf(text.slice(0, history.start)).filter((line) => heading.test(line))
  // The text between the blocks from there on.
  const behind = blocks.slice(last).map(({ end }, index) => text.slice(end, blocks[last + index + 1]?.start))
  return headings.length > 1 && behind.flatMap(linesOf).every((line) => heading.test(line))
}

interface Block {
  quoted: string
  start: number
  end: number
}

/** The contents of blocks like `<chat_history>…</chat_history>`, only the outer ones. */
function findBlocks(text: string): Block[] {
  const lastEnds = new Map<string, number>()
  for (const { 1: name = '', index } of text.matchAll(/<\/([\w-]+)>/g)) lastEnds.set(name, index)
  const blocks: Block[] = []
  for (const { 0: opening, 1: name = '', index } of text.matchAll(/<([\w-]+)>/g)) {
    const from = index + opening.length
    const isInside = index < (blocks.at(-1)?.end ?? 0)
    if (isInside || from > (lastEnds.get(name) ?? -1)) continue
    const closing = `</${name}>`
    const to = text.indexOf(closing, from)
    blocks.push({ quoted: text.slice(from, to), start: index, end: to + closing.length })
  }
  return blocks
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
