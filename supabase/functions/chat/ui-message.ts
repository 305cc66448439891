import type { AgentResponse, Pending, ToolUse } from '../../../shared/engine/loop/agent-response.ts'
import type { ChatMessage } from '../../../shared/engine/models/protocol/model-client.ts'
import type { UiMessage } from './loaded-turn.ts'
import type { MessagePart } from './user-message.ts'

/** Bytes of JSON that one tool output may take in a message: clients send every message again with each request. */
const outputLimit = 32 * 1024

/**
 * The assistant message of a run as AI SDK clients show it: a step for each answer of the model, one part for
 * each tool call, data parts for errors and for what the run waits for. `before` is the message that a resumed
 * run continues: its parts stay, and the ones that were decided are closed.
 */
export function assistantMessageOf(
  run: { messageId: string; conversationId: string; runId: string },
  response: AgentResponse,
  before?: UiMessage,
): UiMessage {
  const { status, usage, messages, toolsUsed, pending = [], text } = response
  const parts = new MessageParts(structuredClone(before?.parts ?? []))
  const uses = new Map(toolsUsed.map((use) => [use.toolCallId, use]))
  const waits = new Map(pending.map((wait) => [wait.toolCallId, wait]))

  const noteError = (id: string) => {
    const error = errorData(uses.get(id))
    if (error) parts.put('data-tool-error', id, error)
  }
  for (const [id, part] of parts.calls()) {
    parts.replace(part, callPart(part, uses.get(id), waits.get(id)))
    noteError(id)
  }
  for (const message of withoutAnswer(messages, text)) {
    if (message.role !== 'assistant') continue
    // A decided call is repeated for the model under another id: here it is closed where it stands.
    const calls = (message.tool_calls ?? []).filter(
      ({ id }) => (uses.has(id) || waits.has(id)) && !parts.has(id),
    )
    parts.beginStep(textOf(message), calls.length > 0)
    for (const { id } of calls) {
      parts.add(callPart({ type: '', toolCallId: id, state: 'input-available' }, uses.get(id), waits.get(id)))
      noteError(id)
    }
  }
  parts.answerQuestions(new Set(waits.keys()))
  for (const wait of pending) {
    const data = waitData(wait)
    if (data) parts.put(data.type, wait.toolCallId, data.data)
  }
  parts.endWith(
    text,
    pending.some((wait) => wait.type === 'approval'),
  )
  return {
    id: run.messageId,
    role: 'assistant',
    parts: parts.list,
    metadata: { conversationId: run.conversationId, runId: run.runId, status, usage },
  }
}

/** The parts of a message while it is put together. */
class MessageParts {
  readonly list: MessagePart[]

  constructor(list: MessagePart[]) {
    this.list = list
  }

  calls(): [string, MessagePart][] {
    return this.list.flatMap((part) => (typeof part.toolCallId === 'string' ? [[part.toolCallId, part]] : []))
  }

  has(toolCallId: string): boolean {
    return this.list.some((part) => part.toolCallId === toolCallId)
  }

  add(part: MessagePart): void {
    this.list.push(part)
  }

  replace(old: MessagePart, part: MessagePart): void {
    this.list[this.list.indexOf(old)] = part
  }

  beginStep(text: string, hasCalls: boolean): void {
    if (text !== '' || hasCalls) this.list.push({ type: 'step-start' })
    if (text !== '') this.list.push(textPart(text))
  }

  /** A data part is known by type and id: a second one replaces the first, as clients do it. */
  put(type: string, id: string, data: Record<string, unknown>): void {
    const old = this.list.find((part) => part.type === type && part.id === id)
    if (old) this.replace(old, { type, id, data })
    else this.list.push({ type, id, data })
  }

  /** Marks the questions that nobody waits for any more. */
  answerQuestions(open: ReadonlySet<string>): void {
    for (const part of this.list) {
      if (part.type !== 'data-question' || open.has(String(part.id))) continue
      this.replace(part, { ...part, data: { ...(part.data as object), answered: true } })
    }
  }

  /**
   * Sees to it that the answer's text can be read. It stands in the step of a call that waits for approval, never
   * after it: clients look for open approvals in the last step only.
   */
  endWith(text: string, waitsForApproval: boolean): void {
    const step = this.list.findLastIndex((part) => part.type === 'step-start')
    if (!waitsForApproval || step < 0) this.list.push({ type: 'step-start' }, textPart(text))
    else if (this.list[step + 1]?.text !== text) this.list.splice(step + 1, 0, textPart(text))
  }
}

/** The answer's own text comes last, and has a place of its own. */
function withoutAnswer(messages: readonly ChatMessage[], text: string): readonly ChatMessage[] {
  const last = messages.at(-1)
  return last?.role === 'assistant' && last.content === text && !last.tool_calls
    ? messages.slice(0, -1)
    : messages
}

/** A call in its last state; none may stay open for ever. */
function callPart(part: MessagePart, use: ToolUse | undefined, wait: Pending | undefined): MessagePart {
  const toolName = use?.toolName ?? wait?.toolName
  const { toolCallId, approval } = part
  const base = {
    type: toolName === undefined ? part.type : `tool-${toolName}`,
    toolCallId,
    input: use?.input ?? wait?.values ?? part.input ?? {},
  }
  if (wait?.type === 'approval') {
    return {
      ...base,
      input: wait.values ?? base.input,
      state: 'approval-requested',
      approval: { id: toolCallId },
    }
  }
  const decided = (approved: boolean) => ({ approval: { ...(approval ?? { id: toolCallId }), approved } })
  if (use?.ok) {
    return {
      ...base,
      state: 'output-available',
      output: shown(use.output),
      ...(approval ? decided(true) : {}),
    }
  }
  if (use?.error?.errorType === 'approval_denied')
    return { ...base, state: 'output-denied', ...decided(false) }
  if (use?.error) return { ...base, state: 'output-error', errorText: use.error.error }
  if (wait) return { ...base, state: 'output-error', errorText: wait.question }
  return part
}

function errorData(use: ToolUse | undefined): Record<string, unknown> | undefined {
  if (!use?.error) return undefined
  const { errorType, details } = use.error
  const parameter = details.parameter === undefined ? {} : { parameter: details.parameter }
  return { toolCallId: use.toolCallId, attempt: use.attempt, errorType, ...parameter }
}

/** What a client shows beside the call: a form, a link, a time. An approval is in the call's own state. */
function waitData(wait: Pending): { type: string; data: Record<string, unknown> } | undefined {
  const { type, toolCallId, resumeAt } = wait
  if (type === 'approval') return undefined
  if (type === 'wait') return { type: 'data-wait', data: { toolCallId, resumeAt } }
  return { type: 'data-question', data: { ...wait, type: `needs_${type}` } }
}

function textPart(text: string): MessagePart {
  return { type: 'text', text, state: 'done' }
}

function textOf({ content }: Extract<ChatMessage, { role: 'assistant' }>): string {
  if (typeof content === 'string') return content.trim() === '' ? '' : content
  return (content ?? []).map((part) => (part.type === 'text' ? part.text : '')).join('')
}

function shown(output: unknown): unknown {
  const json = JSON.stringify(output) ?? 'null'
  if (new TextEncoder().encode(json).byteLength <= outputLimit) return output ?? null
  return { shortened: true, start: json.slice(0, outputLimit / 2) }
}
