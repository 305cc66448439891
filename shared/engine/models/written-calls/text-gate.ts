import type { ToolSpecification } from '../../core/tool-specification.ts'
import { openers } from './call-markup.ts'
import { callKeys, nameKeys } from './call-object.ts'
import { isOffered } from './text-tool-calls.ts'
import { startsThinking } from './thinking.ts'

/** Lets streamed text through, except what may turn out to be thinking or a tool call written as text. */
export interface TextGate {
  add(delta: string): void
  /** The end of the stream: shows the rest of the reply's final text. */
  finish(text: string): void
}

/** Opens a gate; without tools only thinking is held back. Each character is examined a bounded number of times. */
export function openTextGate(tools: readonly ToolSpecification[], show: (delta: string) => void): TextGate {
  const skipThinking = createThinkingFilter()
  /** Not shown yet, because it may start a call. */
  let waiting = ''
  let shown = 0
  let lineIsBlank = true
  let closed = false

  return {
    add(delta) {
      if (closed) return
      waiting += skipThinking(delta)
      const hold = findHold(waiting, lineIsBlank, tools)
      if (hold.from > 0) show(waiting.slice(0, hold.from))
      shown += hold.from
      waiting = waiting.slice(hold.from)
      lineIsBlank = hold.lineIsBlank
      closed = hold.isSure
    },
    finish(final) {
      if (final.length > shown) show(final.slice(shown))
    },
  }
}

/** Passes a text on in pieces, without the thinking before it; undecided pieces wait. */
function createThinkingFilter(): (delta: string) => string {
  let state: 'perhaps' | 'thinking' | 'after' | 'past' = 'perhaps'
  let blanks = ''
  let waiting = ''
  return (delta) => {
    if (state === 'past') return delta
    waiting += delta
    if (state === 'perhaps') {
      const start = waiting.trimStart()
      blanks += waiting.slice(0, waiting.length - start.length)
      waiting = start
      if ('<think>'.startsWith(waiting)) return ''
      state = startsThinking(waiting) ? 'thinking' : 'past'
      if (state === 'past') return blanks + waiting
    }
    if (state === 'thinking') {
      const end = waiting.indexOf('</think>')
      // Long thoughts are searched once: only a possible beginning of the end tag is kept.
      waiting = end < 0 ? waiting.slice(-'</think>'.length) : waiting.slice(end + '</think>'.length)
      if (end < 0) return ''
      state = 'after'
    }
    const text = waiting.trimStart()
    if (text !== '') state = 'past'
    waiting = ''
    return text
  }
}

/** Whether the line after a text, and after what came before it, is blank so far. */
function isBlankBehind(wasBlank: boolean, text: string): boolean {
  const lines = text.split(/[\n\r\u2028\u2029]/)
  return lines.at(-1)?.trim() === '' && (wasBlank || lines.length > 1)
}

/** From where on the text must wait, and whether its line is blank so far; `isSure` if nothing that follows can release it. */
function findHold(
  text: string,
  wasBlank: boolean,
  tools: readonly ToolSpecification[],
): { from: number; lineIsBlank: boolean; isSure: boolean } {
  if (tools.length === 0) return { from: text.length, lineIsBlank: wasBlank, isSure: false }
  const candidate = /[<[`{]/g
  let lineIsBlank = wasBlank
  let past = 0
  for (let match = candidate.exec(text); match !== null; match = candidate.exec(text)) {
    lineIsBlank = isBlankBehind(lineIsBlank, text.slice(past, match.index))
    past = match.index
    const ahead = text.slice(match.index, match.index + mostUndecided)
    const verdict = judge(ahead, lineIsBlank, tools)
    if (verdict === 'plain') continue
    return { from: match.index, lineIsBlank, isSure: verdict === 'call' || ahead.length === mostUndecided }
  }
  return { from: text.length, lineIsBlank: isBlankBehind(lineIsBlank, text.slice(past)), isSure: false }
}

/** If this many characters do not decide what a text is, it waits until the end. */
const mostUndecided = 200

type Verdict = 'plain' | 'perhaps' | 'call'

function judge(ahead: string, lineIsBlank: boolean, tools: readonly ToolSpecification[]): Verdict {
  for (const tag of openers) {
    if (ahead.startsWith(tag)) return 'call'
    if (tag.startsWith(ahead)) return 'perhaps'
  }
  if (ahead.startsWith('`')) return judgeFence(ahead, tools)
  return lineIsBlank ? judgeObject(ahead, tools) : 'plain'
}

function judgeFence(ahead: string, tools: readonly ToolSpecification[]): Verdict {
  if ('```'.startsWith(ahead)) return 'perhaps'
  const header = /^```[ \t]*(?:\w+[ \t]*)?(\r?\n|\r$)?/.exec(ahead)
  if (header === null) return 'plain'
  const [whole, lineEnd] = header
  if (lineEnd === undefined) return whole.length === ahead.length ? 'perhaps' : 'plain'
  return judgeObject(ahead.slice(whole.length), tools)
}

/** Judged by the first key, and by the name if that comes first: most JSON answers are released at once. */
function judgeObject(ahead: string, tools: readonly ToolSpecification[]): Verdict {
  const opening = /^\s*(?:\[\s*)?(?:\{\s*(?:["']?(\w*)["']?\s*(:\s*)?)?)?/.exec(ahead)
  const [whole = '', key = '', colon] = opening ?? []
  const value = ahead.slice(whole.length)
  if (colon === undefined) return value === '' ? 'perhaps' : 'plain'
  if (!nameKeys.includes(key)) {
    return callKeys.includes(key) ? 'call' : 'plain'
  }
  if (value === '') return 'perhaps'
  const [quote = ''] = value
  if (quote !== '"' && quote !== "'") return quote === '{' ? 'call' : 'plain'
  const end = value.indexOf(quote, 1)
  if (end < 0) return 'perhaps'
  const name = value.slice(1, end)
  return name.includes('\\') || isOffered(name, tools) ? 'call' : 'plain'
}
