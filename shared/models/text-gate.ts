import type { ToolSpecification } from '../tools/tool-specification.ts'
import { argumentKeys, companionKeys, nameKeys } from './call-object.ts'
import { offeredName } from './text-tool-calls.ts'
import { startsThinking, withoutThinking } from './thinking.ts'

/** Lets streamed text through, but not what may turn out to be thinking or a tool call written as text. */
export interface TextGate {
  add(delta: string): void
  /** The end of the stream: shows what is left of the text that the reply has in the end. */
  finish(text: string): void
}

/** Opens a gate; without tools only thinking is held back. */
export function openTextGate(tools: readonly ToolSpecification[], show: (delta: string) => void): TextGate {
  let text = ''
  let shown = 0
  let looked = 0
  let thinking: 'perhaps' | 'yes' | 'no' = 'perhaps'
  let closed = false

  function add(delta: string): void {
    text += delta
    if (thinking !== 'no' && !isPastThinking()) return
    if (closed) return
    const decision = tools.length === 0 ? { from: text.length, sure: false } : findHold(text, looked, tools)
    looked = decision.from
    closed = decision.sure
    if (decision.from > shown) {
      show(text.slice(shown, decision.from))
      shown = decision.from
    }
  }

  function isPastThinking(): boolean {
    if (thinking === 'perhaps') {
      const start = text.trimStart()
      if ('<think>'.startsWith(start)) return false
      thinking = startsThinking(text) ? 'yes' : 'no'
    }
    if (thinking === 'yes') {
      const rest = withoutThinking(text)
      if (rest === '') return false
      text = rest
      thinking = 'no'
    }
    return true
  }

  return {
    add,
    finish(final) {
      if (final.length > shown) show(final.slice(shown))
    },
  }
}

const tags = ['<tool_call>', '<function=', '<|python_tag|>', '[TOOL_CALLS]']

/** From where on the text must wait; `sure` when nothing that follows can free it. */
function findHold(
  text: string,
  looked: number,
  tools: readonly ToolSpecification[],
): { from: number; sure: boolean } {
  const candidate = /[<[`{]/g
  candidate.lastIndex = looked
  for (let match = candidate.exec(text); match !== null; match = candidate.exec(text)) {
    const verdict = judge(text, match.index, tools)
    if (verdict !== 'plain') return { from: match.index, sure: verdict === 'call' }
  }
  return { from: text.length, sure: false }
}

type Verdict = 'plain' | 'perhaps' | 'call'

function judge(text: string, start: number, tools: readonly ToolSpecification[]): Verdict {
  const ahead = text.slice(start, start + 200)
  for (const tag of tags) {
    if (ahead.startsWith(tag)) return 'call'
    if (tag.startsWith(ahead)) return 'perhaps'
  }
  if (ahead.startsWith('`')) return judgeFence(ahead, tools)
  const lineStart = text.lastIndexOf('\n', start - 1) + 1
  if (text.slice(lineStart, start).trim() !== '') return 'plain'
  return judgeObject(ahead, tools)
}

function judgeFence(ahead: string, tools: readonly ToolSpecification[]): Verdict {
  if ('```'.startsWith(ahead)) return 'perhaps'
  const header = /^```[ \t]*(\w*)[ \t]*(\r?\n)?/.exec(ahead)
  if (header === null) return 'plain'
  const [whole, language = '', lineEnd] = header
  if (lineEnd === undefined) return whole.length === ahead.length ? 'perhaps' : 'plain'
  if (language === 'tool_code') return 'call'
  if (!['', 'json', 'tool_call', 'tool_calls', 'python'].includes(language)) return 'plain'
  return judgeObject(ahead.slice(whole.length), tools)
}

/** Judged by the first key, and by the name when that comes first: most JSON answers are free at once. */
function judgeObject(ahead: string, tools: readonly ToolSpecification[]): Verdict {
  const opening = /^\s*(?:\[\s*)?(?:\{\s*(?:["']?(\w*)(?:["']?\s*(?::\s*("?)([^"]*)("?))?)?)?)?/.exec(ahead)
  const [whole = '', key, quote, value = '', closing] = opening ?? []
  const undecided = whole.length === ahead.length
  if (key === undefined || quote === undefined) return undecided ? 'perhaps' : 'plain'
  if (nameKeys.includes(key)) {
    if (quote === '')
      return value.trim() === '' && undecided ? 'perhaps' : value.startsWith('{') ? 'call' : 'plain'
    if (closing === '') return undecided ? 'perhaps' : 'plain'
    return offeredName(value, tools) === undefined ? 'plain' : 'call'
  }
  return argumentKeys.includes(key) || companionKeys.includes(key) ? 'call' : 'plain'
}
