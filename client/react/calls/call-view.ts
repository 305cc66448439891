import type { ChatPart, MessageMetadata, Repair } from '../../api/message.ts'
import { findData } from '../../api/message-data.ts'
import { asObject } from '../../values/json-object.ts'
import { isSameJson } from '../../values/json-text.ts'

/** One version of a call, as a card shows it. */
export interface CallView {
  toolCallId: string
  toolName: string
  /** `over`: it was not carried out, and nothing went wrong. `unknown`: it may have been carried out. */
  state: 'running' | 'done' | 'failed' | 'unknown' | 'asks' | 'denied' | 'waiting' | 'over'
  input: unknown
  output?: unknown
  errorText?: string
  repairs: Repair[]
  /** ISO 8601: when it continues by itself. */
  resumeAt?: string
  /** Milliseconds until the next try within the same run. */
  waitMs?: number
  /** Shared by all attempts at one thing. */
  intent?: number
  /** What it did, in one line. */
  summary?: string
  /** What it is once it is made: `sent`. */
  past?: string
  /** A write that was made without anybody being asked. */
  unasked?: true
  /** What the user changed on its card, and what stood there before. */
  edited?: readonly { name: string; before?: unknown }[]
  /** What the user was first asked about it. */
  askedFirst?: string
  /** What it would have done, if that was denied. */
  statement?: string
  /** Its user was asked for what it lacked: a value, or a connection. */
  lacked?: true
  /** Milliseconds it took, once known. */
  tookMs?: number
}

/** The call in a message part; undefined for other parts. */
export function readCall(
  part: ChatPart,
  parts: ChatPart[],
  { toolTimes: times, texts }: MessageMetadata = {},
): CallView | undefined {
  if (!part.type.startsWith('tool-') && part.type !== 'dynamic-tool') return undefined
  const call = part as ToolPart
  const { toolCallId, state, input, output, errorText } = call
  const question = findData(parts, 'question', toolCallId)
  const wait = findData(parts, 'wait', toolCallId)
  const repairs = findData(parts, 'repair', toolCallId)?.repairs
  const error = findData(parts, 'tool-error', toolCallId)
  const facts = findData(parts, 'call', toolCallId)
  // A form may have asked before its approval, in the model's own words: then only the approval is among these.
  const askedOf = texts?.filter((one) => one.toolCallId === toolCallId).map(({ text }) => text) ?? []
  const askedFirst = askedOf.length > 1 || call.approval == null ? askedOf[0] : undefined
  return {
    toolCallId,
    toolName: call.toolName ?? part.type.slice('tool-'.length),
    state: stateOf(state, {
      asks: question !== undefined && !question.answered,
      // A wait within the run is over with it.
      waits: wait?.resumeAt !== undefined,
      isOver: isOver(call, error?.errorType, question?.closed),
      isUnknown: error?.errorType === 'outcome_unknown',
      // A form that was denied, not filled in.
      isDenied: error?.errorType === 'approval_denied',
    }),
    input,
    repairs: repairs ?? [],
    output,
    errorText,
    resumeAt: wait?.resumeAt,
    waitMs: wait?.waitMs,
    intent: facts?.intent,
    summary: facts?.summary,
    past: facts?.past,
    unasked: facts?.unasked,
    edited: facts?.edited,
    askedFirst,
    statement: facts?.statement,
    lacked: question && true,
    tookMs: times?.[toolCallId],
  }
}

/** A message part with a call, as the server writes it. */
export interface ToolPart {
  toolName?: string
  toolCallId: string
  state: string
  input?: unknown
  output?: unknown
  errorText?: string
  approval?: { approved?: boolean }
}

/** Cancelled, or asked about and never decided. */
function isOver({ approval }: ToolPart, errorType: string | undefined, closed: string | undefined): boolean {
  if (closed !== undefined) return true
  if (errorType !== undefined) return errorType === 'cancelled'
  return approval != null && approval.approved === undefined
}

function stateOf(
  state: string,
  {
    asks,
    waits,
    isOver,
    isUnknown,
    isDenied,
  }: Record<'asks' | 'waits' | 'isOver' | 'isUnknown' | 'isDenied', boolean>,
): CallView['state'] {
  switch (state) {
    case 'output-available':
      return 'done'
    case 'output-denied':
      return 'denied'
    case 'output-error':
      if (isDenied && !asks) return 'denied'
      return asks ? 'asks' : waits ? 'waiting' : isOver ? 'over' : isUnknown ? 'unknown' : 'failed'
    case 'approval-requested':
      return 'asks'
    default:
      return 'running'
  }
}

/** The call as its card showed it, before the user edited it. */
export function inputOnCard({ input, edited }: CallView): unknown {
  if (edited === undefined) return input
  return { ...asObject(input), ...Object.fromEntries(edited.map(({ name, before }) => [name, before])) }
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
