import { skipBlanks } from './call-members.ts'
import { type FoundCall, type FoundCalls, mostCalls, readCallObject } from './call-object.ts'
import { findTaggedCalls } from './tagged-calls.ts'

/** Every way of writing calls that is read, the most certain first. */
export const styles: readonly { tagged: boolean; find: (text: string) => FoundCalls | undefined }[] = [
  { tagged: true, find: findTaggedCalls },
  { tagged: false, find: findJsonCalls },
]

/** JSON objects, or an array of them, after a fence or on a line of their own. */
function findJsonCalls(text: string): FoundCalls | undefined {
  const opening = /(?:```[ \t]*(?:\w+[ \t]*)?\r?\n\s*|^[ \t]*)(?=[{[])/gm
  let match = opening.exec(text)
  for (let looks = 0; match !== null && looks < mostCalls; looks++) {
    const calls = readSeries(text, opening.lastIndex)
    const last = calls.at(-1)
    if (last !== undefined) {
      const closing = /[\s\]]*(?:```)?/y
      closing.lastIndex = last.end
      closing.test(text)
      return { calls, start: match.index, end: closing.lastIndex }
    }
    opening.lastIndex++
    match = opening.exec(text)
  }
  return undefined
}

/** One call object, several of them, or a JSON array of them. */
function readSeries(text: string, start: number): FoundCall[] {
  const calls: FoundCall[] = []
  let position = text[start] === '[' ? skipBlanks(text, start + 1) : start
  const separator = /\s*[,;]?\s*/y
  while (calls.length <= mostCalls) {
    const call = readCallObject(text, position, false)
    if (call === undefined) break
    calls.push(call)
    separator.lastIndex = call.end
    separator.test(text)
    position = separator.lastIndex
  }
  return calls
}
