import { isSameJson } from '../json-text.ts'
import type { ChatMessage, ChatPart, MessageData, Repair } from '../message.ts'

/** One version of a call, as a card shows it. */
export interface CallView {
  toolCallId: string
  toolName: string
  /** `over`: it was not done, and nothing went wrong. */
  state: 'running' | 'done' | 'failed' | 'asks' | 'denied' | 'waiting' | 'over'
  input: unknown
  output?: unknown
  errorText?: string
  repairs: Repair[]
  /** Somebody approved it, perhaps with other values. */
  isApproved: boolean
  /** ISO 8601: when it goes on by itself. */
  resumeAt?: string
  /** Milliseconds that it waits before it is tried again, within its run. */
  waitMs?: number
  /** Attempts of one thing share it. */
  intent?: number
  /** What it did, in one line. */
  summary?: string
  /** Milliseconds that it took, once that is known. */
  tookMs?: number
}

/** Where an answer comes from: a page of the web, or a document of the user. */
export interface Source {
  id: string
  title: string
  url: string | undefined
}

/** What a message shows, from top to bottom. A call with earlier attempts is one block. */
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
 * The blocks of a message. The attempts of one intent stand together; sources stand together, too. What was asked about
 * a call is no text of its own: its card says it while it is open, and a receipt what was decided.
 */
export function listBlocks(message: Pick<ChatMessage, 'parts' | 'metadata'>): Block[] {
  const { metadata } = message
  const parts = message.parts.filter(isReadable)
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
    const call = readCall(part, parts, metadata?.toolTimes)
    if (part.type === 'step-start') isDecided = false
    if (call) {
      // What was asked about it stands behind it, in the same step.
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

/** Calls of one tool from which on they are one block. */
const fewest = 3

/** The blocks with calls of one tool that follow each other as one. Those of `apart` stay by themselves. */
export function foldRuns(blocks: readonly Block[], apart: ReadonlySet<string>): Block[] {
  const folded: Block[] = []
  for (const block of blocks) {
    const last = folded.at(-1)
    const toolName = toolOf(block, apart)
    if (block.kind === 'calls' && last?.kind === 'run' && last.runs[0]?.[0]?.toolName === toolName)
      last.runs.push(block.attempts)
    else if (block.kind === 'calls' && toolName !== undefined)
      folded.push({ kind: 'run', key: block.key, runs: [block.attempts] })
    else folded.push(block)
  }
  return folded.flatMap((block): Block[] =>
    block.kind === 'run' && block.runs.length < fewest
      ? block.runs.map((attempts) => ({ kind: 'calls', key: attempts[0]?.toolCallId ?? block.key, attempts }))
      : [block],
  )
}

/** Of a call that is over. */
function toolOf(block: Block, apart: ReadonlySet<string>): string | undefined {
  if (block.kind !== 'calls' || block.attempts.some(({ toolCallId }) => apart.has(toolCallId)))
    return undefined
  const last = block.attempts.at(-1)
  return last?.state === 'done' || last?.state === 'failed' ? last.toolName : undefined
}

/** Whether it is a part at all: one that is not must not take the others with it. */
function isReadable(part: ChatPart | null | undefined): boolean {
  if (typeof part?.type !== 'string') return false
  const hasText = part.type === 'text' || part.type === 'reasoning'
  return !hasText || typeof part.text === 'string'
}

function addCall(blocks: Block[], call: CallView): void {
  const open = blocks.findLast((block) => {
    const last = block.kind === 'calls' ? block.attempts.at(-1) : undefined
    return last?.state === 'failed' && last.intent !== undefined && last.intent === call.intent
  })
  if (open?.kind === 'calls') open.attempts.push(call)
  else blocks.push({ kind: 'calls', key: call.toolCallId, attempts: [call] })
}

/** Only such a link is shown as one. */
export function isWebAddress(url: unknown): url is string {
  return typeof url === 'string' && /^https?:\/\//i.test(url)
}

function readCall(
  part: ChatPart,
  parts: ChatPart[],
  times: Record<string, number> | undefined,
): CallView | undefined {
  if (!part.type.startsWith('tool-') && part.type !== 'dynamic-tool') return undefined
  const call = part as ToolPart
  const { toolCallId, state, input, output, errorText } = call
  const question = findData(parts, 'data-question', toolCallId) as { answered?: boolean } | undefined
  const wait = findData(parts, 'data-wait', toolCallId) as Partial<MessageData['wait']> | undefined
  const repairs = (findData(parts, 'data-repair', toolCallId) as { repairs?: Repair[] } | undefined)?.repairs
  const error = findData(parts, 'data-tool-error', toolCallId) as { errorType?: string } | undefined
  const facts = findData(parts, 'data-call', toolCallId) as Partial<MessageData['call']> | undefined
  return {
    toolCallId,
    toolName: call.toolName ?? part.type.slice('tool-'.length),
    state: stateOf(state, {
      asks: question !== undefined && !question.answered,
      waits: wait !== undefined,
      isOver: isOver(call, error?.errorType),
    }),
    input,
    repairs: repairs ?? [],
    isApproved: call.approval !== undefined,
    ...(output === undefined ? {} : { output }),
    ...(errorText === undefined ? {} : { errorText }),
    ...(wait?.resumeAt === undefined ? {} : { resumeAt: wait.resumeAt }),
    ...(wait?.waitMs === undefined ? {} : { waitMs: wait.waitMs }),
    ...(facts?.intent === undefined ? {} : { intent: facts.intent }),
    ...(facts?.summary === undefined ? {} : { summary: facts.summary }),
    ...(times?.[toolCallId] === undefined ? {} : { tookMs: times[toolCallId] }),
  }
}

interface ToolPart {
  toolName?: string
  toolCallId: string
  state: string
  input?: unknown
  output?: unknown
  errorText?: string
  approval?: { approved?: boolean }
}

/** Called off, or asked about and never decided. */
function isOver({ approval }: ToolPart, errorType: string | undefined): boolean {
  if (errorType !== undefined) return errorType === 'cancelled'
  return approval != null && approval.approved === undefined
}

function stateOf(
  state: string,
  { asks, waits, isOver }: { asks: boolean; waits: boolean; isOver: boolean },
): CallView['state'] {
  switch (state) {
    case 'output-available':
      return 'done'
    case 'output-denied':
      return 'denied'
    case 'output-error':
      return asks ? 'asks' : waits ? 'waiting' : isOver ? 'over' : 'failed'
    case 'approval-requested':
      return 'asks'
    default:
      return 'running'
  }
}

function findData(parts: ChatPart[], type: string, toolCallId: string): unknown {
  const part = parts.find((one) => one.type === type && (one as { id?: string }).id === toolCallId)
  return (part as { data?: unknown } | undefined)?.data ?? undefined
}

/** The paths whose values differ between two versions of a call, with both values. */
export function listChanges(
  before: unknown,
  after: unknown,
): { name: string; before: unknown; after: unknown }[] {
  const old = asObject(before)
  const now = asObject(after)
  return [...new Set([...Object.keys(old), ...Object.keys(now)])]
    .filter((name) => !isSameJson(old[name], now[name]))
    .map((name) => ({ name, before: old[name], after: now[name] }))
}

export function asObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {}
}
