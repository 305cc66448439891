import type { GivenMessage } from './earlier-messages.ts'
import { wordsOf } from './typed-words.ts'

/** A line of a chat that was written down: who speaks, then what is said. */
const spoken = /^[\p{L}][\p{L} ]{0,30}:(?: |$)/u
const heading = /^#{1,6} ?\S/

/**
 * Whether a front end asks here for itself, of which no header tells: one message alone, which is a task under headings
 * and quotes a chat; behind it come no words. In doubt it is a message of the user, which costs a question at most: a
 * list of what such requests begin with would never be complete.
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
  // What stands between the blocks from there on.
  const behind = blocks.slice(last).map(({ end }, index) => text.slice(end, blocks[last + index + 1]?.start))
  return headings.length > 1 && behind.flatMap(linesOf).every((line) => heading.test(line))
}

interface Block {
  quoted: string
  start: number
  end: number
}

/** What stands in blocks like `<chat_history>…</chat_history>`, the outer ones alone. */
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
