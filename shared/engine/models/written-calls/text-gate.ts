import type { ToolSpecification } from '../../core/tool-specification.ts'
import { callKeys, nameKeys } from './call-object.ts'
import { judgeStatement, mayBeAssigned, sentenceEnd } from './call-statement.ts'
import { namedThoughts, openers } from './families.ts'
import { controlToken, isCallMark, isHtml, isMention, isThoughtMark, tag } from './marks.ts'
import { isOffered } from './text-tool-calls.ts'
import { findSureEnd, openedThoughts } from './thinking.ts'

/** Lets streamed text through, except what may turn out to be thinking or a tool call written as text. */
export interface TextGate {
  add(delta: string): void
  /** The server sends thoughts by themselves: they are not in the text. */
  pass(): void
  /** The end of the stream: shows the rest of the reply's final text. */
  finish(text: string): void
}

export interface GateSettings {
  /** Without any, only thinking and control tokens are held back. */
  tools: readonly ToolSpecification[]
  thinksFirst: boolean
  show(delta: string): void
  /** Takes back what was shown: a later part has told that it is no answer. */
  restart(): void
}

/** Opens a gate. Each character is examined a bounded number of times. */
export function openTextGate({ tools, thinksFirst, show, restart }: GateSettings): TextGate {
  const thinking = createThinkingFilter(thinksFirst)
  /** Not shown yet, because it may start a call. */
  let waiting = ''
  let shown = ''
  /** The end of what was shown, at most a line of it. */
  let lastLine = ''
  let lineIsBlank = true
  let closed = false

  function add(text: string): void {
    waiting += text
    const withheld = findWithheld(waiting, lineIsBlank, tools, lastLine)
    emit(waiting.slice(0, withheld.from))
    waiting = waiting.slice(withheld.from)
    lineIsBlank = withheld.lineIsBlank
    closed = withheld.isSure
  }

  function emit(text: string): void {
    if (text === '') return
    shown += text
    const line = lastLine + text
    lastLine = line.slice(line.lastIndexOf('\n') + 1).slice(-200)
    show(text)
  }

  return {
    add(delta) {
      if (!closed) add(thinking.add(delta))
    },
    pass() {
      if (!closed) add(thinking.pass())
    },
    finish(final) {
      if (final.startsWith(shown)) return emit(final.slice(shown.length))
      if (shown.trimEnd() === final.trimEnd()) return
      restart()
      shown = ''
      emit(final)
    },
  }
}

/** Passes a text on in pieces, without the thinking before it; undecided pieces wait. */
function createThinkingFilter(thinksFirst: boolean): { add(delta: string): string; pass(): string } {
  let state: 'perhaps' | 'thinking' | 'past' = thinksFirst ? 'thinking' : 'perhaps'
  /** A block of thoughts was passed over, with the blanks after it. */
  let isBehind = false
  let close: string | undefined
  let blanks = ''
  let waiting = ''

  function pass(): string {
    state = 'past'
    const text = isBehind ? waiting.trimStart() : blanks + waiting
    waiting = ''
    return text
  }

  return {
    pass: () => (state === 'past' || isBehind || (state === 'thinking' && !thinksFirst) ? '' : pass()),
    add(delta) {
      if (state === 'past') return delta
      waiting += delta
      for (;;) {
        if (state === 'thinking') {
          const end = findSureEnd(waiting, close)
          if (end === undefined) {
            // Long thoughts are searched once: only a possible beginning of the end is kept.
            if (!thinksFirst || isBehind) waiting = waiting.slice(-longestMark)
            return ''
          }
          waiting = waiting.slice(end)
          state = 'perhaps'
          isBehind = true
        }
        if (isBehind) waiting = waiting.replace(/^\s*<answer>\s*/, '')
        const start = waiting.trimStart()
        blanks += waiting.slice(0, waiting.length - start.length)
        waiting = start
        if (waiting === '' || mayOpenThoughts(waiting)) return ''
        const opened = openedThoughts(waiting)
        if (opened === undefined) return pass()
        waiting = waiting.slice(opened.length)
        close = opened.close
        state = 'thinking'
        isBehind = true
      }
    },
  }
}

const longestMark = 80
const thoughtWords = ['think', 'thought', 'reason', 'reflect', 'scratchpad', '思考']

function mayOpenThoughts(start: string): boolean {
  if (namedThoughts.some(([open]) => open.length > start.length && open.startsWith(start))) return true
  if (/^(?:<[^<>\s]{0,60}|\[\/?[A-Z_]{0,30})$/.test(start)) return true
  const word = /^[^\p{L}\p{N}\s]{1,3}(\p{L}{0,20})[^\p{L}\p{N}\s]{0,2}$/u.exec(start)?.[1]?.toLowerCase()
  return word !== undefined && thoughtWords.some((one) => one.startsWith(word) || word.startsWith(one))
}

const lineBreak = /[\n\r\u2028\u2029]/

/** Whether the line after a text, and after what came before it, is blank so far. */
function isBlankBehind(wasBlank: boolean, text: string): boolean {
  const words = text.trimEnd()
  return (wasBlank && words === '') || lineBreak.test(text.slice(words.length))
}

/** Marks, brackets, what gives a value a name, segments of addresses, and the beginnings of lines and sentences. */
const candidates = new RegExp(
  String.raw`[<[\x60{>]|\](?=<|$)|(?<=[\w\t :])=|/(?=[\w-]|$)|(?<![^\n\r])[ \t]*[^\s<[\x60{>]|(?<=${sentenceEnd})[^\s<[\x60{>]`,
  'gu',
)
const behindSentence = new RegExp(`${sentenceEnd}$`, 'u')

/** From where on the text must wait, and whether its line is blank so far; `isSure` if nothing that follows can release it. */
function findWithheld(
  text: string,
  wasBlank: boolean,
  tools: readonly ToolSpecification[],
  lastLine: string,
): { from: number; lineIsBlank: boolean; isSure: boolean } {
  const lead = lastLine.slice(-3)
  const led = lead + text
  candidates.lastIndex = lead.length
  let lineIsBlank = wasBlank
  let past = 0
  for (let match = candidates.exec(led); match !== null; match = candidates.exec(led)) {
    const index = match.index - lead.length
    lineIsBlank = isBlankBehind(lineIsBlank, text.slice(past, index))
    past = index
    const ahead = text.slice(index, index + mostUndecided)
    const line = lastLine + text.slice(Math.max(0, index - 200), index)
    const verdict = judge(ahead, lineIsBlank, tools, line.slice(line.lastIndexOf('\n') + 1))
    if (verdict === 'plain') continue
    return { from: index, lineIsBlank, isSure: verdict === 'call' || ahead.length === mostUndecided }
  }
  return { from: text.length, lineIsBlank: isBlankBehind(lineIsBlank, text.slice(past)), isSure: false }
}

/** If this many characters do not decide what a text is, it waits until the end. */
const mostUndecided = 200

type Verdict = 'plain' | 'perhaps' | 'call'
type Tools = readonly ToolSpecification[]

const wholeMark = new RegExp(`^(?:${controlToken}|${tag})`)
const beginningMark =
  /^<(?:[|｜][^<>\n]{0,60}|\/?[a-z]{2,12}[|｜][\w:.-]{0,60}(?:[ =][^<>\n]{0,190})?|\/?(?:[|｜](?:D(?:S(?:M(?:L(?:｜)?)?)?)?)?)?(?:[A-Za-z][\w:.-]{0,60}(?:[ =][^<>\n]{0,190}|\|)?)?)$/

/** `before`: the line so far. */
function judge(ahead: string, lineIsBlank: boolean, tools: Tools, before: string): Verdict {
  // A mark in a code span is spoken of.
  if (/^[<[]/.test(ahead) && /(?:^|[^`])`$/.test(before)) return 'plain'
  if (tools.length > 0 && (lineIsBlank || behindSentence.test(before))) {
    const { verdict } = judgeStatement(ahead, tools, false)
    if (verdict !== 'plain') return verdict === 'call' ? 'call' : 'perhaps'
  }
  if (/^(?:=|<-)/.test(ahead)) return judgeAssigned(ahead, tools, before)
  if (ahead.startsWith('/')) return judgeSegment(ahead, tools)
  if (ahead.startsWith('<')) return judgeMark(ahead, tools, before)
  if (ahead.startsWith(']') && /[^\s.!?]$/.test(before)) return 'plain'
  if (tools.length === 0) return 'plain'
  for (const opener of openers) {
    if (ahead.startsWith(opener)) return 'call'
    if (opener.startsWith(ahead) && /^\W/.test(ahead))
      return ahead[0] === '>' && !lineIsBlank ? 'plain' : 'perhaps'
  }
  if (ahead.startsWith('`')) return judgeFence(ahead, tools)
  if (ahead.startsWith('>')) return 'plain'
  if (ahead.startsWith('[')) {
    const verdict = judgeBracket(ahead, lineIsBlank, tools)
    if (verdict !== 'plain') return verdict
  }
  if (!lineIsBlank) return 'plain'
  return /^[ \t]*[A-Za-z_]/.test(ahead) ? judgeWord(ahead, tools) : judgeObject(ahead, tools)
}

/** What a family writes before its calls, whatever it looks like. */
function judgeOpener(ahead: string, tools: Tools): Verdict {
  if (tools.length === 0) return 'plain'
  if (openers.some((opener) => ahead.startsWith(opener))) return 'call'
  return openers.some((opener) => opener.startsWith(ahead)) ? 'perhaps' : 'plain'
}

/** Control tokens wait for their end, and tags that may be part of a call. */
function judgeMark(ahead: string, tools: Tools, before: string): Verdict {
  const mark = wholeMark.exec(ahead)?.[0]
  if (mark === '</answer>') return 'call'
  if (mark === undefined) return beginningMark.test(ahead) ? 'perhaps' : judgeOpener(ahead, tools)
  const isSure = /^<[|｜]|[|｜]>$/.test(mark) || isThoughtMark(mark)
  if (isSure || (tools.length > 0 && isCallMark(mark))) {
    if (openers.some((opener) => mark.startsWith(opener))) return 'call'
    if (ahead.length < mark.length + 3 && /[\p{L}"'“«(,;:] ?$/u.test(before)) return 'perhaps'
    const isWord = isMention(before + ahead, before.length, before.length + mark.length)
    return isWord && ahead.length >= mark.length + 3 ? 'plain' : 'call'
  }
  if (tools.length === 0) return 'plain'
  if (isHtml(mark)) return 'plain'
  if (openers.some((opener) => mark.startsWith(opener))) return 'call'
  if (mark.startsWith('</')) return 'plain'
  const near = ahead.slice(0, mark.length + 80)
  if (tools.some(({ name }) => near.includes(name))) return 'call'
  return near.length < mark.length + 80 && /^\s*[\w{["']*$/.test(near.slice(mark.length))
    ? 'perhaps'
    : 'plain'
}

/** The value that a line gives a name to: an offered tool's. */
function judgeAssigned(ahead: string, tools: Tools, before: string): Verdict {
  if (tools.length === 0 || !mayBeAssigned(before)) return 'plain'
  const { verdict } = judgeStatement(before + ahead, tools, false)
  return verdict === 'bare' ? 'perhaps' : verdict
}

/** Characters in which something is sent to an address that ends with an offered tool. */
const mostBeforeSent = 120

function judgeSegment(ahead: string, tools: Tools): Verdict {
  const [, name = '', rest = ''] = /^\/([\w.-]*)([\s\S]*)$/.exec(ahead) ?? []
  if (rest === '') return tools.some((tool) => tool.name.startsWith(name)) ? 'perhaps' : 'plain'
  if (!/^["'`\s]/.test(rest) || !tools.some((tool) => tool.name === name)) return 'plain'
  if (/\{\s*"\w/.test(rest)) return 'call'
  return ahead.length < mostBeforeSent ? 'perhaps' : 'plain'
}

/** `[TOOL_CALLS]`, `[THINK]`, `[search(`. */
function judgeBracket(ahead: string, lineIsBlank: boolean, tools: Tools): Verdict {
  const mark = /^\[\/?[A-Z][A-Z_]{3,30}\]/.exec(ahead)?.[0]
  if (mark !== undefined) return isCallMark(mark) || isThoughtMark(mark) ? 'call' : 'plain'
  if (/^\[\/?[A-Z_]*$/.test(ahead)) return 'perhaps'
  const [whole = '', word = '', bracket] = /^\[\s*([\w.-]*)(\()?/.exec(ahead) ?? []
  if (!lineIsBlank) return 'plain'
  if (bracket !== undefined) return isOffered(word, tools) ? 'call' : 'plain'
  return whole.length === ahead.length && word !== '' && mayBeName(word, tools) ? 'perhaps' : 'plain'
}

const firstWords = [
  'functools',
  'print',
  'to',
  'assistant',
  'Action',
  'all',
  'call',
  'functions.',
  'tools.',
  'await',
]

/** An offered tool's name before a bracket. */
function judgeWord(ahead: string, tools: Tools): Verdict {
  const [whole = '', word = ''] =
    /^[ \t]*(?:await[ \t]+)?((?:(?:functions?|tools?)\.)?[\w.-]*)/.exec(ahead) ?? []
  const isName = tools.some(({ name }) => name === word) || isOffered(word, tools)
  const after = ahead.slice(whole.length)
  if (after === '')
    return isName || mayBeName(word, tools) || firstWords.some((one) => one.startsWith(word))
      ? 'perhaps'
      : 'plain'
  if (isName || firstWords.includes(word)) {
    if (/^\s*$/.test(after) && /^\s*\n?\s*$/.test(after))
      return word === 'all' ? 'plain' : isName ? 'perhaps' : 'plain'
    if (isName && /^(?:[({]|:\d|\s*\n\s*[{<])/.test(after)) return 'call'
    if (/^(?:functools\[|to=|assistant\s+to=|call:)/.test(ahead.trimStart())) return 'call'
    const step = /^Action:[ \t]*([\w.-]*)([\s\S]?)/.exec(ahead.trimStart())
    if (step !== null && step[2] !== '') return isOffered(step[1] ?? '', tools) ? 'call' : 'plain'
    if (step !== null) return step[1] === '' || mayBeName(step[1] ?? '', tools) ? 'perhaps' : 'plain'
    const printed = word === 'print' ? /^\(\s*([\w.-]*)(\(?)/.exec(after) : null
    if (printed !== null && (printed[1] !== '' || after === '(') && mayBeName(printed[1] ?? '', tools))
      return printed[2] === '' ? 'perhaps' : 'call'
  }
  return 'plain'
}

function mayBeName(word: string, tools: Tools): boolean {
  const bare = word.replace(/^(?:functions?|tools?)\./, '')
  return tools.some(({ name }) => name.startsWith(bare))
}

function judgeFence(ahead: string, tools: Tools): Verdict {
  if ('```'.startsWith(ahead)) return 'perhaps'
  const header = /^```[ \t]*(?:\w+[ \t]*)?(\r?\n|\r$)?/.exec(ahead)
  if (header === null) return 'plain'
  const [whole, lineEnd] = header
  if (lineEnd === undefined) return whole.length === ahead.length ? 'perhaps' : 'plain'
  const inside = ahead.slice(whole.length)
  if (/^\s*<?$/.test(inside)) return 'perhaps'
  if (/^\s*\[\s*\w*\(?/.test(inside)) {
    const verdict = judgeBracket(inside.trimStart(), true, tools)
    if (verdict !== 'plain') return verdict
  }
  return judgeObject(inside, tools)
}

/** Keys beside which a call may stand, apart from `callKeys`. */
const nearCalls = /tool|func|call|action|invoke|command|plugin|rpc|recipient|thought|reason/i

/** Judged by the first key, and by the name if that comes first: most JSON answers are released at once. */
function judgeObject(ahead: string, tools: Tools): Verdict {
  const opening = /^\s*(?:\[\s*)*(?:\{\s*(?:["']?([\w.-]*)["']?\s*(:\s*)?)?)?/.exec(ahead)
  const [whole = '', key = '', colon] = opening ?? []
  const value = ahead.slice(whole.length)
  if (colon === undefined) return value === '' ? 'perhaps' : 'plain'
  // Schemas, GeoJSON, events: the type says what the object is.
  const type = key === 'type' ? /^["']([^"']{0,60})(["']?)/.exec(value) : null
  if (key === 'type' && value === '') return 'perhaps'
  if (type !== null && !nearCalls.test(type[1] ?? '')) return type[2] === '' ? 'perhaps' : 'plain'
  if (!nameKeys.includes(key)) {
    return callKeys.includes(key) || nearCalls.test(key) || isOffered(key, tools) ? 'call' : 'plain'
  }
  if (value === '') return 'perhaps'
  const [quote = ''] = value
  if (quote !== '"' && quote !== "'") return quote === '{' ? 'call' : 'plain'
  const end = value.indexOf(quote, 1)
  if (end < 0) return 'perhaps'
  const name = value.slice(1, end)
  return name.includes('\\') || isOffered(name, tools) ? 'call' : 'plain'
}
