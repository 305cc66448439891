import {
  type CallReader,
  type FoundCall,
  type FoundCalls,
  mostCalls,
  type Offered,
  type ReadContext,
  readCallObject,
} from './call-object.ts'
import { elementReaders } from './element-calls.ts'
import { betweenCalls, callish, isMention, markSearch, openerSearch } from './marks.ts'
import { namedReaders } from './named-calls.ts'

/** Everything that a model may write after an opener, the most certain first. */
const readers: readonly CallReader[] = [...elementReaders, readCallObject, ...namedReaders]

/** Calls after an opener (`openers`), of one or several forms, each possibly with an opener of its own. */
export function findTaggedCalls(text: string, offered: Offered): FoundCalls | undefined {
  return search(text, openerSearch(), { tagged: true, ...offered }, () => true)
}

/** The same after marks of families that nobody knows; they must name offered tools. */
export function findMarkedCalls(text: string, offered: Offered): FoundCalls | undefined {
  const context = { tagged: true, ...offered }
  const marks = markSearch()
  return search(text, marks, context, (mark, index) => {
    const isMachine = /^<[|｜\w]*[|｜:]|\|>$|^\[/.test(mark) || callish.test(mark)
    return isMachine && !isMention(text, index, index + mark.length)
  })
}

function search(
  text: string,
  opening: RegExp,
  context: ReadContext,
  counts: (mark: string, index: number) => boolean,
): FoundCalls | undefined {
  for (let tries = 0; tries < mostCalls; ) {
    const opener = opening.exec(text)
    if (opener === null) return undefined
    if (!counts(opener[0], opener.index)) continue
    tries++
    const calls = readCalls(text, opener.index, opener[0], context)
    if (calls.length > mostCalls) return undefined
    const end = calls.at(-1)?.end
    if (end !== undefined) return { calls, start: opener.index, end }
    // Consecutive openers open the same nothing.
    opening.lastIndex = Math.max(opening.lastIndex, skipMarkup(text, opener.index))
  }
  return undefined
}

function readCalls(text: string, start: number, opener: string, context: ReadContext): FoundCall[] {
  const calls: FoundCall[] = []
  const next = openerSearch()
  // An opener that no mark looks like, or that is part of the call.
  let position = skipMarkup(text, start) > start || opener.startsWith('<') ? start : start + opener.length
  while (calls.length <= mostCalls) {
    const call = readCall(text, skipMarkup(text, position), context)
    if (call !== undefined) {
      calls.push(call)
      position = call.end
      continue
    }
    // There may be words between two calls.
    next.lastIndex = position
    const more = calls.length === 0 ? null : next.exec(text)
    if (more === null || readCall(text, skipMarkup(text, more.index), context) === undefined) break
    position = more.index
  }
  return calls
}

function readCall(text: string, start: number, context: ReadContext): FoundCall | undefined {
  for (const reader of readers) {
    const call = reader(text, start, context)
    if (call !== undefined) return call
  }
  return undefined
}

/** Stops at an element that is a call itself. */
function skipMarkup(text: string, start: number): number {
  const markup = betweenCalls()
  markup.lastIndex = start
  return markup.test(text) ? markup.lastIndex : start
}
