import { skipBlanks } from './call-members.ts'
import { type FoundCall, type FoundCalls, mostCalls, readCallObject } from './call-object.ts'
import { readPythonCall, readPythonCalls } from './python-calls.ts'
import { findTaggedCalls } from './tagged-calls.ts'

/** Every way of writing calls that is read, the surest first. */
export const styles: readonly { tagged: boolean; find: (text: string) => FoundCalls | undefined }[] = [
  { tagged: true, find: findTaggedCalls },
  { tagged: false, find: findFencedCalls },
  { tagged: false, find: findBareCalls },
  { tagged: false, find: findCallList },
]

/** A block fenced as JSON, or Gemini's ```tool_code, that ends the reply. */
function findFencedCalls(text: string): FoundCalls | undefined {
  const fence = /```[ \t]*(?:(json|tool_call|tool_calls|tool_code|python)[ \t]*)?\r?\n/g
  for (let match = fence.exec(text); match !== null; match = fence.exec(text)) {
    const inside = skipBlanks(text, fence.lastIndex)
    const python = match[1] === 'tool_code'
    const calls = (python ? readPythonCalls(text, inside) : undefined) ?? readSeries(text, inside)
    const end = calls?.at(-1)?.end
    if (calls !== undefined && end !== undefined) {
      const closing = /\s*(?:```)?/y
      closing.lastIndex = end
      closing.test(text)
      return { calls, start: match.index, end: closing.lastIndex }
    }
    const next = text.indexOf('```', fence.lastIndex)
    if (next < 0) return undefined
    fence.lastIndex = next + 3
  }
  return undefined
}

/** A bare object, or an array of them, on a line of its own. */
function findBareCalls(text: string): FoundCalls | undefined {
  const opening = /^[ \t]*[{[]/gm
  for (let looks = 0; looks < mostCalls && opening.test(text); looks++) {
    const start = opening.lastIndex - 1
    const calls = readSeries(text, start)
    if (calls !== undefined) return { calls, start, end: calls.at(-1)?.end ?? start }
  }
  return undefined
}

/** Llama's `[search(query="deno"), …]`, where it is the whole reply. */
function findCallList(text: string): FoundCalls | undefined {
  const inside = /^\s*\[\s*/.exec(text)?.[0].length
  if (inside === undefined) return undefined
  const calls: FoundCall[] = []
  const separator = /\s*([,\]])\s*/y
  for (let position = inside; calls.length < mostCalls; ) {
    const call = readPythonCall(text, position)
    separator.lastIndex = call?.end ?? text.length
    const match = separator.exec(text)
    if (call === undefined || match === null) return undefined
    calls.push(call)
    position = separator.lastIndex
    if (match[1] === ']') return { calls, start: 0, end: position }
  }
  return undefined
}

/** One call object, several of them, or a JSON array of them, also in OpenAI's `{"tool_calls": […]}`. */
function readSeries(text: string, start: number): FoundCall[] | undefined {
  const wrapper = /\s*(\{\s*"tool_calls"\s*:\s*(?=\[))?(\[\s*)?/y
  wrapper.lastIndex = start
  const opening = wrapper.exec(text)
  let position = wrapper.lastIndex
  const calls: FoundCall[] = []
  while (text[position] === '{') {
    const call = readCallObject(text, position, false)
    if (call === undefined) return undefined
    calls.push(call)
    position = call.end
    const separator = /\s*[,;]?\s*/y
    separator.lastIndex = position
    separator.test(text)
    if (text[separator.lastIndex] !== '{') break
    position = separator.lastIndex
  }
  const last = calls.at(-1)
  if (last === undefined) return undefined
  for (const closer of [opening?.[2] && ']', opening?.[1] && '}']) {
    if (!closer) continue
    const closing = skipBlanks(text, last.end)
    if (text[closing] === closer) last.end = closing + 1
    else if (closing < text.length) return undefined
  }
  return calls
}
