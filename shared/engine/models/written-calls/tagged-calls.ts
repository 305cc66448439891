import { betweenCalls, openerSearch } from './call-markup.ts'
import { readMembers } from './call-members.ts'
import { type FoundCall, type FoundCalls, mostCalls, readCallObject } from './call-object.ts'

/** Everything that a model may write after an opener, the most certain first. */
const readers: readonly ((text: string, start: number) => FoundCall | undefined)[] = [
  readElement,
  (text, start) => readCallObject(text, start, true),
  readNamedObject,
]

/** Calls after an opener (`openers`), of one or several forms, each possibly with an opener of its own. */
export function findTaggedCalls(text: string): FoundCalls | undefined {
  const search = openerSearch()
  for (let tries = 0; tries < mostCalls; tries++) {
    const opener = search.exec(text)
    if (opener === null) return undefined
    const calls = readCalls(text, opener.index)
    if (calls.length > mostCalls) return undefined
    const end = calls.at(-1)?.end
    if (end !== undefined) return { calls, start: opener.index, end }
    // Consecutive openers open the same nothing.
    search.lastIndex = Math.max(search.lastIndex, skipMarkup(text, opener.index))
  }
  return undefined
}

function readCalls(text: string, start: number): FoundCall[] {
  const calls: FoundCall[] = []
  const search = openerSearch()
  let position = start
  while (calls.length <= mostCalls) {
    const call = readCall(text, skipMarkup(text, position))
    if (call !== undefined) {
      calls.push(call)
      position = call.end
      continue
    }
    // There may be words between two calls.
    search.lastIndex = position
    const next = calls.length === 0 ? null : search.exec(text)
    if (next === null || readCall(text, skipMarkup(text, next.index)) === undefined) break
    position = next.index
  }
  return calls
}

function readCall(text: string, start: number): FoundCall | undefined {
  for (const reader of readers) {
    const call = reader(text, start)
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

/**
 * `<function=name>{…}</function>` (Llama; Groq omits the first `>`), with `<parameter=key>value</parameter>`
 * instead of an object (Qwen3-Coder).
 */
function readElement(text: string, start: number): FoundCall | undefined {
  const opening = /<function=\s*"?([\w.-]+)"?\s*>?\s*/y
  opening.lastIndex = start
  const name = opening.exec(text)?.[1]
  if (name === undefined) return undefined
  const inside = opening.lastIndex
  const closing = text.indexOf('</function>', inside)
  const isClosed = closing >= 0
  const end = isClosed ? closing + '</function>'.length : text.length
  const body = text.slice(inside, isClosed ? closing : text.length)
  if (body.startsWith('<parameter')) return { start, end, name, rawArguments: readParameters(body, isClosed) }
  const object = readMembers(body, 0)
  // Words after a tag that is never closed are prose.
  if (object === undefined && !isClosed && body.trim() !== '') return undefined
  return { start, end, name, rawArguments: object === undefined ? body.trim() : body.slice(0, object.end) }
}

/** Texts by name, including repeated names; cut where the call was cut. */
function readParameters(body: string, isClosed: boolean): string {
  const parameter = /<parameter="?([^"<>]+)"?>\n?([\s\S]*?)\n?(?:<\/parameter>|(?=<parameter=)|$)/g
  const members = [...body.matchAll(parameter)].map(
    ([, key = '', value = '']) => `${JSON.stringify(key.trim())}:${JSON.stringify(value)}`,
  )
  const whole = `{${members.join(',')}}`
  return isClosed ? whole : whole.slice(0, -2)
}

/** `name{…}` (Mistral), also with marks and a fence between name and object (DeepSeek). */
function readNamedObject(text: string, start: number): FoundCall | undefined {
  const opening =
    /(?:function\s*<｜tool▁sep｜>\s*)?([A-Za-z_][\w.-]*)(?:\s|\[CALL_ID\][\w-]+|\[ARGS\]|<｜tool▁sep｜>|```\w*)*(?=\{)/y
  opening.lastIndex = start
  const name = opening.exec(text)?.[1]
  const object = name === undefined ? undefined : readMembers(text, opening.lastIndex)
  if (name === undefined || object === undefined) return undefined
  return { start, end: object.end, name, rawArguments: text.slice(opening.lastIndex, object.end) }
}
