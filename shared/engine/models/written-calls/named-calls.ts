import { readMembers } from './call-members.ts'
import type { CallReader, ReadContext } from './call-object.ts'
import { readLiteral, readMap } from './literal-value.ts'
import { writeUntyped } from './untyped-value.ts'

/** `name` and then its arguments: an object, a list of keyword arguments, or keys and values in tags. */
export const namedReaders: readonly CallReader[] = [
  readKeyword,
  readMarkedMap,
  readKeysAndValues,
  readNamedObject,
]

/** Python: `name(key=value, …)`, possibly printed. */
function readKeyword(text: string, start: number): ReturnType<CallReader> {
  const opening = /(print\(\s*)?((?:[A-Za-z_][\w-]*\.)*[A-Za-z_][\w-]*)\(\s*/y
  opening.lastIndex = start
  const found = opening.exec(text)
  const name = found?.[2]
  if (name === undefined) return undefined
  const from = opening.lastIndex
  // One object as the only argument.
  const only = text[from] === '{' ? readLiteral(text, from) : undefined
  const closing = found?.[1] === undefined ? /\s*\)/y : /\s*\)\s*\)/y
  closing.lastIndex = only?.end ?? from
  if (only !== undefined && closing.test(text)) {
    return { start, end: closing.lastIndex, name, rawArguments: JSON.stringify(only.value) }
  }
  const read = readMap(text, from, ')')
  if (read === undefined) return undefined
  const printed = /\s*\)/y
  printed.lastIndex = read.end
  const end = found?.[1] !== undefined && printed.test(text) ? printed.lastIndex : read.end
  return { start, end, name, rawArguments: JSON.stringify(read.value) }
}

/** Gemma: `call:name{key:value}`. */
function readMarkedMap(text: string, start: number): ReturnType<CallReader> {
  const opening = /call\s*:\s*([A-Za-z_][\w.-]*)\s*\{/y
  opening.lastIndex = start
  const name = opening.exec(text)?.[1]
  const read = name === undefined ? undefined : readMap(text, opening.lastIndex, '}')
  return name && read ? { start, end: read.end, name, rawArguments: JSON.stringify(read.value) } : undefined
}

/** GLM: `name<arg_key>…</arg_key><arg_value>…</arg_value>`; other families put a word of their own before `arg`. */
function readKeysAndValues(
  text: string,
  start: number,
  { tagged, typesOf }: ReadContext,
): ReturnType<CallReader> {
  const opening =
    /([A-Za-z_][\w.-]*)\s*(?:<tool_sep>\s*)?(?=<(?:[\w:]*arg_key>|\/(\w*(?:tool_call|function_call|tool)\w*)>))/y
  opening.lastIndex = start
  const found = opening.exec(text)
  const name = found?.[1]
  if (name === undefined || !tagged) return undefined
  if (found?.[2] !== undefined) return { start, end: opening.lastIndex, name, rawArguments: '{}' }
  const pair = /<([\w:]*)arg_key>([^<>]*)<\/\1arg_key>\s*<\1arg_value>([\s\S]*?)<\/\1arg_value>\s*/y
  pair.lastIndex = opening.lastIndex
  const members: string[] = []
  let end = opening.lastIndex
  for (let match = pair.exec(text); match !== null; match = pair.exec(text)) {
    const key = match[2]?.trim() ?? ''
    members.push(`${JSON.stringify(key)}:${writeUntyped(match[3] ?? '', typesOf(name, key))}`)
    end = pair.lastIndex
  }
  const isCut =
    !/^\s*(?:$|<)/.test(text.slice(end, end + 20)) ||
    /^\s*<[\w:]*arg_(?:key|value)/.test(text.slice(end, end + 60))
  // Cut where the call was cut.
  return {
    start,
    end: isCut ? text.length : end,
    name,
    rawArguments: `{${members.join(',')}${isCut ? ',' : '}'}`,
  }
}

/** `name{…}` (Mistral), also with marks and a fence between name and object (DeepSeek, Kimi, Functionary). */
function readNamedObject(text: string, start: number): ReturnType<CallReader> {
  const opening =
    /(?:function\s*<｜tool[▁_]sep｜>\s*)?([A-Za-z_][\w.-]*(?::\d+)?)(?:\s|\[CALL_ID\][\w-]+|\[ARGS\]|<[|｜][^<>|｜\n]{1,40}[|｜]>|<tool_sep>|```\w*)*(?=\{)/y
  opening.lastIndex = start
  const name = opening.exec(text)?.[1]
  const object = name === undefined ? undefined : readMembers(text, opening.lastIndex)
  if (name === undefined || object === undefined) return undefined
  return { start, end: object.end, name, rawArguments: text.slice(opening.lastIndex, object.end) }
}
