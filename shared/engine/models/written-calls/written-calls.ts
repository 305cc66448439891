import { isObject, readJsonText } from '../../core/json-value.ts'
import { readMembers, skipBlanks } from './call-members.ts'
import { type FoundCall, type FoundCalls, mostCalls, type Offered, readCallObject } from './call-object.ts'
import { namedReaders } from './named-calls.ts'
import { findMarkedCalls, findTaggedCalls } from './tagged-calls.ts'

type Find = (text: string, offered: Offered) => FoundCalls | undefined

/** Every way of writing calls that is read, the most certain first. */
export const styles: readonly { tagged: boolean; find: Find }[] = [
  { tagged: true, find: findTaggedCalls },
  { tagged: true, find: findMarkedCalls },
  { tagged: false, find: findJsonCalls },
  { tagged: false, find: findBareCalls },
]

/** JSON objects, or an array of them, after a fence or on a line of their own. */
function findJsonCalls(text: string, offered: Offered): FoundCalls | undefined {
  const opening = /(?:```[ \t]*(?:\w+[ \t]*)?\r?\n\s*|^[ \t]*)(?=[{[])/gm
  let match = opening.exec(text)
  for (let looks = 0; match !== null && looks < mostCalls; looks++) {
    const calls = readSeries(text, opening.lastIndex, offered)
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

/** One call object, several of them, a JSON array of them, or an object around them. */
function readSeries(text: string, start: number, offered: Offered): FoundCall[] {
  const calls: FoundCall[] = []
  let position = text[start] === '[' ? skipBlanks(text, start + 1) : start
  const separator = /\s*[,;]?\s*/y
  while (calls.length <= mostCalls) {
    const call = readCallObject(text, position, { tagged: false, ...offered })
    if (call === undefined) break
    calls.push(call)
    separator.lastIndex = call.end
    separator.test(text)
    position = separator.lastIndex
  }
  return calls.length > 0 ? calls : readWrapped(text, start, offered)
}

/** `{"tool_calls": [{…}]}`: an object that has nothing in it but calls. */
function readWrapped(text: string, start: number, offered: Offered): FoundCall[] {
  if (text[start] !== '{') return []
  const object = readMembers(text, start)
  const value = object?.closed ? readJsonText(text.slice(start, object.end)) : undefined
  const inner = isObject(value) ? callsWithin(value, offered, 0) : undefined
  return (inner ?? []).map((call) => ({ ...call, start, end: object?.end ?? start }))
}

const companions = [
  'role',
  'content',
  'type',
  'id',
  'index',
  'refusal',
  'finish_reason',
  'thought',
  'thoughts',
]

function callsWithin(value: unknown, offered: Offered, depth: number): FoundCall[] | undefined {
  if (depth > 4) return undefined
  if (Array.isArray(value)) {
    const all = value.map((item) => callsWithin(item, offered, depth + 1))
    return all.length > 0 && all.every((one) => one !== undefined) ? all.flat() : undefined
  }
  if (!isObject(value)) return undefined
  const call = readCallObject(JSON.stringify(value), 0, { tagged: false, ...offered })
  if (call !== undefined) return [call]
  const rest = Object.entries(value).filter(([key, member]) => !companions.includes(key) || isObject(member))
  const says = Object.entries(value).some(([key, member]) => key === 'content' && Boolean(member))
  return rest.length === 1 && !says ? callsWithin(rest[0]?.[1], offered, depth + 1) : undefined
}

/**
 * Calls of offered tools without a mark: `[search(query="x")]` (Llama), the name on a line before an object (Functionary),
 * ReAct's `Action:`. They are a whole reply, or the end of one.
 */
function findBareCalls(text: string, offered: Offered): FoundCalls | undefined {
  const opening =
    /^[ \t]*(?:\[\s*(?=[\w.-]+\()|>>>|(?=[\w.-]{1,64}\s*\n\s*\{)|(?=[\w.-]{1,64}[{(])|Action:[ \t]*)(?=[A-Za-z_])/gm
  for (let looks = 0; looks < mostCalls; looks++) {
    const match = opening.exec(text)
    if (match === null) return undefined
    const calls = readList(text, opening.lastIndex, offered)
    const last = calls.at(-1)
    const closing = /\s*\]?\s*/y
    closing.lastIndex = last?.end ?? 0
    closing.test(text)
    // A line of code alone, without a list around it, must be the whole reply.
    const isListed = !/^[ \t]*$/.test(match[0]) || text.slice(0, match.index).trim() === ''
    if (last !== undefined && isListed) return { calls, start: match.index, end: closing.lastIndex }
    if (opening.lastIndex === match.index) opening.lastIndex++
  }
  return undefined
}

function readList(text: string, start: number, offered: Offered): FoundCall[] {
  const calls: FoundCall[] = []
  const between = /\s*,?\s*(?:Action Input:\s*)?/y
  let position = start
  while (calls.length <= mostCalls) {
    const name = /^[\w.-]+/.exec(text.slice(position, position + 100))?.[0]
    if (name === undefined || !offered.isTool(name)) break
    const call = readReAct(text, position, name) ?? readNamed(text, position, offered)
    if (call === undefined) break
    calls.push(call)
    between.lastIndex = call.end
    between.test(text)
    position = between.lastIndex
  }
  return calls
}

function readNamed(text: string, start: number, offered: Offered): FoundCall | undefined {
  for (const reader of namedReaders) {
    const call = reader(text, start, { tagged: false, ...offered })
    if (call !== undefined) return call
  }
  return undefined
}

function readReAct(text: string, start: number, name: string): FoundCall | undefined {
  const opening = /[\w.-]+[ \t]*\r?\nAction Input:\s*/y
  opening.lastIndex = start
  const object = opening.test(text) ? readMembers(text, opening.lastIndex) : undefined
  return object && { start, end: object.end, name, rawArguments: text.slice(opening.lastIndex, object.end) }
}
