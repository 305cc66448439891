import type { ToolSpecification } from '../../core/tool-specification.ts'
import { openers } from './call-markup.ts'
import { argumentKeys, companionKeys, nameKeys } from './call-object.ts'
import { offeredName } from './text-tool-calls.ts'
import { startsThinking } from './thinking.ts'

/** Lets streamed text through, but not what may turn out to be thinking or a tool call written as text. */
export interface TextGate {
  add(delta: string): void
  /** The end of the stream: shows what is left of the text that the reply has in the end. */
  finish(text: string): void
}

/** Opens a gate; without tools only thinking is held back. */
export function openTextGate(tools: readonly ToolSpecification[], show: (delta: string) => void): TextGate {
  const thinking = skipThinking()
  /** The text from the beginning of the last line that was shown whole: what came before is done with. */
  let text = ''
  /** How many characters stood before `text`. */
  let dropped = 0
  let shown = 0
  let looked = 0
  let closed = false

  return {
    add(delta) {
      text += thinking(delta)
      if (closed) return
      const { from, sure } =
        tools.length === 0 ? { from: text.length, sure: false } : findHold(text, looked, tools)
      looked = from
      closed = sure
      if (from > shown - dropped) show(text.slice(shown - dropped, from))
      shown = Math.max(shown, dropped + from)
      if (from < text.length) return
      const lineStart = text.lastIndexOf('\n') + 1
      text = text.slice(lineStart)
      dropped += lineStart
      looked -= lineStart
    },
    finish(final) {
      if (final.length > shown) show(final.slice(shown))
    },
  }
}

/** Passes a text on in pieces, without the thinking in front of it; undecided pieces wait. */
function skipThinking(): (delta: string) => string {
  let state: 'perhaps' | 'thinking' | 'after' | 'past' = 'perhaps'
  let waiting = ''
  return (delta) => {
    if (state === 'past') return delta
    waiting += delta
    if (state === 'perhaps') {
      if ('<think>'.startsWith(waiting.trimStart())) return ''
      state = startsThinking(waiting) ? 'thinking' : 'past'
    }
    if (state === 'thinking') {
      const end = waiting.indexOf('</think>')
      // Long thoughts are searched once: only a beginning of the end tag is kept.
      waiting = end < 0 ? waiting.slice(-'</think>'.length) : waiting.slice(end + '</think>'.length)
      if (end < 0) return ''
      state = 'after'
    }
    const text = state === 'after' ? waiting.trimStart() : waiting
    if (text !== '') state = 'past'
    waiting = ''
    return text
  }
}

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
  for (const tag of openers) {
    if (ahead.startsWith(tag)) return 'call'
    if (tag.startsWith(ahead)) return 'perhaps'
  }
  if (ahead.startsWith('`')) return judgeFence(ahead, tools)
  const lineStart = text.lastIndexOf('\n', start - 1) + 1
  if (text.slice(lineStart, start).trim() !== '') return 'plain'
  const list = /^\[\s*(?:([A-Za-z_][\w.]*)(\()?)?/.exec(ahead)
  if (list?.[2] !== undefined)
    return lineStart === 0 && offeredName(list[1] ?? '', tools) !== undefined ? 'call' : 'plain'
  const verdict = judgeObject(ahead, tools)
  return verdict === 'plain' && list?.[0].length === ahead.length ? 'perhaps' : verdict
}

function judgeFence(ahead: string, tools: readonly ToolSpecification[]): Verdict {
  if ('```'.startsWith(ahead)) return 'perhaps'
  const header = /^```[ \t]*(\w*)[ \t]*(\r?\n|\r$)?/.exec(ahead)
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
  return [...argumentKeys, ...companionKeys, 'tool_calls'].includes(key) ? 'call' : 'plain'
}
