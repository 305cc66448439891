import { skipBlanks, valueEndFrom } from './call-members.ts'
import type { FoundCall } from './call-object.ts'

/** `print(default_api.search(query="deno", limit=5))`, one call a line; only keyword arguments are unambiguous. */
export function readPythonCalls(text: string, start: number): FoundCall[] | undefined {
  const calls: FoundCall[] = []
  let position = skipBlanks(text, start)
  for (;;) {
    const call = readPythonCall(text, position)
    if (call === undefined) break
    calls.push(call)
    position = skipBlanks(text, call.end)
  }
  return calls.length > 0 ? calls : undefined
}

/** One such call, also `name.call(…)`. */
export function readPythonCall(text: string, start: number): FoundCall | undefined {
  const opening = /(print\()?\s*(?:[A-Za-z_]\w*\s*=\s*)?([A-Za-z_][\w.]*?)(?:\.call)?\(\s*/y
  opening.lastIndex = start
  const match = opening.exec(text)
  if (match === null) return undefined
  const body = readKeywords(text, opening.lastIndex)
  if (body === undefined) return undefined
  const isPrinted = match[1] !== undefined
  if (isPrinted && text[body.end] !== ')') return undefined
  const end = isPrinted ? body.end + 1 : body.end
  return { start, end, name: match[2] ?? '', rawArguments: body.rawArguments }
}

/** Keyword arguments as an object whose values stand as they were written (Python literals). */
function readKeywords(text: string, start: number): { rawArguments: string; end: number } | undefined {
  const members: string[] = []
  let position = start
  while (text[position] !== ')') {
    const key = /([A-Za-z_]\w*)\s*=\s*/y
    key.lastIndex = position
    const match = key.exec(text)
    if (match === null) return undefined
    const end = valueEndFrom(text, key.lastIndex, ')')
    if (end >= text.length) return undefined
    members.push(`${JSON.stringify(match[1])}: ${text.slice(key.lastIndex, end).trim()}`)
    position = text[end] === ',' ? skipBlanks(text, end + 1) : end
  }
  return { rawArguments: `{${members.join(', ')}}`, end: position + 1 }
}
