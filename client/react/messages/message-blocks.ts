import type { ChatMessage, ChatPart, MessageData } from '../../api/message.ts'
import { isWebAddress } from '../../values/web-address.ts'
import { type CallView, readCall, type ToolPart } from '../calls/call-view.ts'

/** A source of an answer: a web page or one of the user's documents. */
export interface Source {
  id: string
  title: string
  url: string | undefined
}

/** What a message shows, from top to bottom. A call and its earlier attempts are one block. */
export type Block =
  | { kind: 'text'; key: string; text: string }
  | { kind: 'thought'; key: string; text: string; isOpen: boolean }
  | { kind: 'calls'; key: string; attempts: CallView[] }
  /** Calls of one tool, one after the other. */
  | { kind: 'run'; key: string; runs: CallView[][] }
  | { kind: 'file'; key: string; mediaType: string; url: string; filename: string | undefined }
  | { kind: 'sources'; key: string; sources: Source[] }
  /** What an answer did that this one has taken the place of. */
  | { kind: 'before'; key: string; writes: MessageData['done-before'][] }

/**
 * The blocks of a message. Attempts of one intent are grouped, and so are sources. The question about a call is not shown
 * as text: its card shows it while it is open, and a receipt once it is decided.
 */
export function listBlocks(message: Pick<ChatMessage, 'parts' | 'metadata'>): Block[] {
  const { metadata } = message
  const parts = readableParts(message)
  const blocks: Block[] = []
  const sources: Source[] = []
  const writes = parts.flatMap((part) => (part.type === 'data-done-before' ? [part.data] : []))
  if (writes.length > 0) blocks.push({ kind: 'before', key: 'before', writes })
  const calls = new Set(parts.map((part) => (part as Partial<ToolPart>).toolCallId))
  const questions = new Set(
    metadata?.texts?.flatMap(({ text, toolCallId }) => (toolCallId && calls.has(toolCallId) ? [text] : [])),
  )
  let isDecided = false
  parts.forEach((part, index) => {
    const key = String(index)
    const call = readCall(part, parts, metadata)
    if (part.type === 'step-start') isDecided = false
    if (call) {
      // The text that asked about it follows in the same step.
      isDecided = (part as ToolPart).approval !== undefined && call.state !== 'asks'
      addCall(blocks, call)
    } else if (part.type === 'text') {
      const isAsked = isDecided || questions.has(part.text)
      if (part.text.trim() !== '' && !isAsked) blocks.push({ kind: 'text', key, text: part.text })
    } else if (part.type === 'reasoning') {
      if (part.text.trim() !== '')
        blocks.push({ kind: 'thought', key, text: part.text, isOpen: part.state === 'streaming' })
    } else if (part.type === 'file') {
      const { mediaType, url, filename } = part
      blocks.push({ kind: 'file', key, mediaType, url, filename })
    } else if (part.type === 'source-url') {
      const { sourceId: id, title, url } = part
      sources.push({ id, title: title ?? url, url: isWebAddress(url) ? url : undefined })
    } else if (part.type === 'source-document') {
      sources.push({ id: part.sourceId, title: part.title, url: undefined })
    }
  })
  if (sources.length > 0) blocks.push({ kind: 'sources', key: 'sources', sources })
  return blocks
}

/** The parts of a message that look like some. */
export function readableParts({ parts }: Pick<ChatMessage, 'parts'>): ChatMessage['parts'] {
  return parts.filter(isReadable)
}

/** Whether it looks like a part: a malformed one must not break the others. */
function isReadable(part: ChatPart | null | undefined): boolean {
  if (typeof part?.type !== 'string') return false
  const hasText = part.type === 'text' || part.type === 'reasoning'
  return !hasText || typeof part.text === 'string'
}

function addCall(blocks: Block[], call: CallView): void {
  const open = blocks.findLast((block) => {
    const last = block.kind === 'calls' ? block.attempts.at(-1) : undefined
    const isOver = last?.state === 'failed' || last?.state === 'unknown'
    return isOver && last.intent !== undefined && last.intent === call.intent
  })
  if (open?.kind === 'calls') open.attempts.push(call)
  else blocks.push({ kind: 'calls', key: call.toolCallId, attempts: [call] })
}
