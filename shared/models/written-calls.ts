import { readMembers, skipBlanks } from './call-members.ts'
import { type FoundCall, readCallObject } from './call-object.ts'
import { readPythonCalls } from './python-calls.ts'

/** More calls than this in one text are no calls; it also bounds the time for hostile texts. */
const mostCalls = 64

interface Found {
  calls: FoundCall[]
  start: number
  end: number
}

/** Every way of writing calls that is read, the surest first. */
export const styles: readonly { tagged: boolean; find: (text: string) => Found | undefined }[] = [
  { tagged: true, find: findToolCallTags },
  { tagged: true, find: findFunctionTags },
  { tagged: true, find: findPythonTag },
  { tagged: true, find: findMistralCalls },
  { tagged: false, find: findFencedCalls },
  { tagged: false, find: findBareCalls },
]

/** `<tool_call>{…}</tool_call>`, several of them, the last one perhaps unclosed. */
function findToolCallTags(text: string): Found | undefined {
  const start = text.indexOf('<tool_call>')
  if (start < 0) return undefined
  const calls: FoundCall[] = []
  let end = start
  for (const match of text.matchAll(/<tool_call>\s*/g)) {
    const inside = match.index + match[0].length
    const call = readFunctionTag(text, inside) ?? readCallObject(text, inside, true)
    if (call === undefined) return undefined
    calls.push(call)
    end = afterTag(text, call.end)
    if (calls.length > mostCalls) return undefined
  }
  return { calls, start, end }
}

/** Small models close a brace too many before the tag. */
function afterTag(text: string, position: number): number {
  const closing = /[\s}\]]*<\/tool_call>/y
  closing.lastIndex = position
  return closing.test(text) ? closing.lastIndex : position
}

/** Llama's `<function=name>{…}</function>`, also without the first `>` as Groq reports it. */
function findFunctionTags(text: string): Found | undefined {
  const start = text.search(/<function=/)
  if (start < 0) return undefined
  const calls: FoundCall[] = []
  let position = start
  for (;;) {
    const call = readFunctionTag(text, skipBlanks(text, position))
    if (call === undefined) break
    calls.push(call)
    position = call.end
  }
  return { calls, start, end: position }
}

/** Also Qwen3-Coder's `<function=name><parameter=key>value</parameter></function>`. */
function readFunctionTag(text: string, start: number): FoundCall | undefined {
  const opening = /<function=\s*"?([\w.-]+)"?\s*>?\s*/y
  opening.lastIndex = start
  const found = opening.exec(text)
  if (found === null) return undefined
  const inside = opening.lastIndex
  const closing = text.indexOf('</function>', inside)
  const end = closing < 0 ? text.length : closing + '</function>'.length
  const body = text.slice(inside, closing < 0 ? text.length : closing)
  const name = found[1] ?? ''
  if (!body.startsWith('<parameter=')) {
    const object = readMembers(body, 0)
    const rawArguments = object === undefined ? body.trim() : body.slice(0, object.end)
    return { start, end, name, rawArguments }
  }
  const parameters = body.matchAll(/<parameter=([^>]+)>\n?([\s\S]*?)\n?(?:<\/parameter>|(?=<parameter=)|$)/g)
  const values = JSON.stringify(
    Object.fromEntries([...parameters].map(([, key = '', value = '']) => [key.trim(), value])),
  )
  return {
    start,
    end,
    name,
    // A call that was cut stays cut.
    rawArguments: closing < 0 ? values.slice(0, -2) : values,
  }
}

/** Llama's `<|python_tag|>` followed by JSON objects or `name.call(key="value")`. */
function findPythonTag(text: string): Found | undefined {
  const tag = '<|python_tag|>'
  const start = text.indexOf(tag)
  if (start < 0) return undefined
  const calls = readSeries(text, start + tag.length, true) ?? readPythonCalls(text, start + tag.length)
  return calls && { calls, start, end: calls.at(-1)?.end ?? start }
}

/** Mistral's `[TOOL_CALLS] [{…}]` and its newer `[TOOL_CALLS]name[ARGS]{…}`. */
function findMistralCalls(text: string): Found | undefined {
  const tag = '[TOOL_CALLS]'
  const start = text.indexOf(tag)
  if (start < 0) return undefined
  const series = readSeries(text, start + tag.length, true)
  if (series !== undefined) return { calls: series, start, end: series.at(-1)?.end ?? start }
  const calls: FoundCall[] = []
  const named = /(?:\[TOOL_CALLS\])?\s*([\w.-]+)(?:\[CALL_ID\][\w-]+)?\[ARGS\]\s*/y
  named.lastIndex = start
  for (let match = named.exec(text); match !== null; match = named.exec(text)) {
    const argumentsStart = named.lastIndex
    const object = readMembers(text, argumentsStart)
    const end = object?.end ?? text.length
    calls.push({ start, end, name: match[1] ?? '', rawArguments: text.slice(argumentsStart, end).trim() })
    named.lastIndex = end
  }
  return { calls, start, end: calls.at(-1)?.end ?? start }
}

/** A block fenced as JSON, or Gemini's ```tool_code, that ends the reply. */
function findFencedCalls(text: string): Found | undefined {
  const fence = /```[ \t]*(json|tool_call|tool_calls|tool_code|python)?[ \t]*\r?\n/g
  for (let match = fence.exec(text); match !== null; match = fence.exec(text)) {
    const inside = skipBlanks(text, fence.lastIndex)
    const python = match[1] === 'tool_code'
    const calls = (python ? readPythonCalls(text, inside) : undefined) ?? readSeries(text, inside, false)
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
function findBareCalls(text: string): Found | undefined {
  const opening = /^[ \t]*[{[]/gm
  for (let looks = 0; looks < mostCalls && opening.test(text); looks++) {
    const start = opening.lastIndex - 1
    const calls = readSeries(text, start, false)
    if (calls !== undefined) return { calls, start, end: calls.at(-1)?.end ?? start }
  }
  return undefined
}

/** One call object, several of them, or a JSON array of them; undefined when anything else stands there. */
function readSeries(text: string, start: number, tagged: boolean): FoundCall[] | undefined {
  let position = skipBlanks(text, start)
  const array = text[position] === '['
  if (array) position = skipBlanks(text, position + 1)
  const calls: FoundCall[] = []
  while (text[position] === '{') {
    const call = readCallObject(text, position, tagged)
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
  if (array) {
    const closing = skipBlanks(text, last.end)
    if (text[closing] === ']') last.end = closing + 1
    else if (closing < text.length) return undefined
  }
  return calls
}
