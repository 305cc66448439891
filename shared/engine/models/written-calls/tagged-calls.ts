import { betweenCalls, openerSearch } from './call-markup.ts'
import { readMembers } from './call-members.ts'
import { type FoundCall, type FoundCalls, mostCalls, readCallObject } from './call-object.ts'
import { readPythonCall } from './python-calls.ts'

/** Everything a model may write behind an opener, the surest first. */
const readers: readonly ((text: string, start: number) => FoundCall | undefined)[] = [
  readElement,
  (text, start) => readCallObject(text, start, true),
  readPythonCall,
  readNamedObject,
  readKeyElements,
]

/** Calls behind an opener (`openers`), of one or several forms, each perhaps with an opener of its own. */
export function findTaggedCalls(text: string): FoundCalls | undefined {
  const search = openerSearch()
  for (let tries = 0; tries < mostCalls; tries++) {
    const opener = search.exec(text)
    if (opener === null) return undefined
    const calls = readCalls(text, opener.index)
    if (calls.length > mostCalls) return undefined
    const end = calls.at(-1)?.end
    if (end !== undefined) return { calls, start: opener.index, end }
    // Openers in a row open the same nothing.
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
    // Words may stand between two calls.
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
 * `<function=name>{…}</function>` (Llama; Groq leaves out the first `>`), with `<parameter=key>value</parameter>`
 * instead of an object (Qwen3-Coder), or as `<invoke name="…"><parameter name="…">`.
 */
function readElement(text: string, start: number): FoundCall | undefined {
  const opening = /<(?:(function)=\s*"?([\w.-]+)"?\s*>?|(invoke)\s+name="([\w.-]+)"\s*>)\s*/y
  opening.lastIndex = start
  const found = opening.exec(text)
  if (found === null) return undefined
  const name = found[2] ?? found[4] ?? ''
  const inside = opening.lastIndex
  const closer = `</${found[1] ?? found[3]}>`
  const closing = text.indexOf(closer, inside)
  const end = closing < 0 ? text.length : closing + closer.length
  const body = text.slice(inside, closing < 0 ? text.length : closing)
  if (!body.startsWith('<parameter')) {
    const object = readMembers(body, 0)
    // Words behind a tag that nothing closes are prose.
    if (object === undefined && closing < 0 && body.trim() !== '') return undefined
    const rawArguments = object === undefined ? body.trim() : body.slice(0, object.end)
    return { start, end, name, rawArguments }
  }
  const parameter =
    /<parameter(?:=|\s+name=)"?([^"<>]+)(?:"[^<>]*)?>\n?([\s\S]*?)\n?(?:<\/parameter>|(?=<parameter[=\s])|$)/g
  return { start, end, name, rawArguments: writeMembers([...body.matchAll(parameter)], closing >= 0) }
}

/** `name{…}` (Mistral), also with marks and a fence between name and object (DeepSeek, Kimi), and without arguments. */
function readNamedObject(text: string, start: number): FoundCall | undefined {
  const opening =
    /(?:function\s*<[|｜]tool[▁_]sep[|｜]>\s*)?([A-Za-z_][\w.-]*)(?::\d+)?(?:\s|\[CALL_ID\][\w-]+|\[ARGS\]|<[|｜][^<>|｜\n]{1,40}[|｜]>|```\w*)*/y
  opening.lastIndex = start
  const found = opening.exec(text)
  if (found === null) return undefined
  const name = found[1] ?? ''
  const inside = opening.lastIndex
  const object = readMembers(text, inside)
  if (object !== undefined)
    return { start, end: object.end, name, rawArguments: text.slice(inside, object.end) }
  return text.startsWith('</tool_call>', inside) ? { start, end: inside, name, rawArguments: '' } : undefined
}

/** GLM's `name`, then `<arg_key>key</arg_key><arg_value>value</arg_value>`. */
function readKeyElements(text: string, start: number): FoundCall | undefined {
  const opening = /([A-Za-z_][\w.-]*)\s*(?=<arg_key>)/y
  opening.lastIndex = start
  const found = opening.exec(text)
  if (found === null) return undefined
  const closing = text.indexOf('</tool_call>', opening.lastIndex)
  const end = closing < 0 ? text.length : closing
  const body = text.slice(opening.lastIndex, end)
  const pairs = body.matchAll(/<arg_key>([^<]+)<\/arg_key>\s*<arg_value>\n?([\s\S]*?)\n?(?:<\/arg_value>|$)/g)
  return { start, end, name: found[1] ?? '', rawArguments: writeMembers([...pairs], closing >= 0) }
}

/** Texts by name, a name given twice included; cut where the call was cut. */
function writeMembers(pairs: readonly RegExpMatchArray[], isClosed: boolean): string {
  const members = pairs.map(
    ([, key = '', value = '']) => `${JSON.stringify(key.trim())}:${JSON.stringify(value)}`,
  )
  const whole = `{${members.join(',')}}`
  return isClosed ? whole : whole.slice(0, -2)
}
