import type { ToolSpecification } from '../core/tool-specification.ts'
import { withoutMiddle } from '../core/without-middle.ts'
import { splitQuoted } from '../provenance/quoted-text.ts'
import { briefOutput } from '../tools/brief-output.ts'
import type { Entry, Result, UserMessage } from './entry.ts'
import { typedWords } from './user-content.ts'

/** Bytes of a user's text up to which later turns read it whole. */
const wholeTextBytes = 64 * 1024
/** UTF-16 units of its beginning, and of its end, that they read of a longer one. */
const endLength = 16_384

const leftOut = '\n[… The middle of this message is left out here. …]\n'
const briefNote =
  'This is a brief of an earlier output: "…" stands for what is left out of its texts. To read all of it, call the tool again.'

/**
 * What later turns read instead of a long entry: a tool's output, or what a user wrote. Undefined if they read it whole.
 * `toolOf`: the tool of a call, if the agent still has it.
 */
export function briefEntry(
  entry: Entry,
  toolOf: (toolCallId: string) => ToolSpecification | undefined,
): Entry | undefined {
  if (entry.type === 'result') return briefResult(entry, toolOf(entry.toolCallId))
  return entry.type === 'user-message' ? briefMessage(entry) : undefined
}

function briefResult(entry: Result, tool: ToolSpecification | undefined): Result | undefined {
  if (!entry.result.ok || entry.brief) return undefined
  const data = briefOutput(entry.result.data, tool?.trustedOutput)
  if (data === undefined) return undefined
  const note = entry.note === undefined ? briefNote : `${entry.note}\n${briefNote}`
  return { ...entry, result: { ok: true, data }, note, brief: true }
}

function briefMessage(entry: UserMessage): UserMessage | undefined {
  const words = typedWords(entry.content)
  if (entry.cut || !isLong(words)) return undefined
  const others = typeof entry.content === 'string' ? [] : entry.content.filter(({ type }) => type !== 'text')
  const content = [{ type: 'text' as const, text: cut(words) }, ...others]
  return { ...entry, content, cut: { quotes: splitQuoted(words).quoted !== '' } }
}

/**
 * The same of a text that comes from elsewhere: itself, if it is not long. If it quotes anything, what is left counts as
 * quoted: a mark of a quotation may be in the part that is missing.
 */
export function briefText(text: string): string {
  if (!isLong(text)) return text
  return splitQuoted(text).quoted === '' ? cut(text) : `<message>\n${cut(text)}\n</message>`
}

function cut(text: string): string {
  return withoutMiddle(text, endLength, endLength, leftOut)
}

function isLong(text: string): boolean {
  return text.length * 3 > wholeTextBytes && new TextEncoder().encode(text).length > wholeTextBytes
}
