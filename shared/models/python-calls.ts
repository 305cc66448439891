import { skipBlanks, valueEndFrom } from './call-members.ts'
import type { FoundCall } from './call-object.ts'

/** `print(default_api.search(query="deno", limit=5))`, one call a line; only keyword arguments are unambiguous. */
export function readPythonCalls(text: string, start: number): FoundCall[] | undefined {
  const calls: FoundCall[] = []
  let position = skipBlanks(text, start)
  for (;;) {
    const opening = /(print\()?\s*(?:[A-Za-z_]\w*\s*=\s*)?([A-Za-z_][\w.]*?)(?:\.call)?\(\s*/y
    opening.lastIndex = position
    const match = opening.exec(text)
    if (match === null) break
    const body = readKeywords(text, opening.lastIndex)
    if (body === undefined) return undefined
    let end = body.end
    if (match[1] !== undefined) {
      if (text[end] !== ')') return undefined
      end++
    }
    calls.push({ start: position, end, name: match[2] ?? '', rawArguments: body.rawArguments })
    position = skipBlanks(text, end)
  }
  return calls.length > 0 ? calls : undefined
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
