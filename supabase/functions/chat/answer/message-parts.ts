import type { ToolSpecification } from '../../../../shared/engine/core/tool-specification.ts'
import { shortenOutput } from '../../../../shared/engine/tools/shorten-output.ts'
import { describePending } from '../../../../shared/engine/transcript/answer.ts'
import type {
  Call,
  Decision,
  Entry,
  Question,
  Result,
  RunEnd,
} from '../../../../shared/engine/transcript/entry.ts'
import { questionForPeople } from '../../../../shared/engine/wording/question-for-people.ts'
import { approvalId } from '../entries/approval-id.ts'

/** A part of a UI message; `type` decides the rest. */
export type MessagePart = { type: string } & Record<string, unknown>

/** Bytes of JSON that one tool output may take in a message: clients send every message again with each request. */
const outputLimit = 32 * 1024

export function textPart(text: string): MessagePart {
  return { type: 'text', text, state: 'done' }
}

/**
 * The parts of an assistant message while it is put together, entry by entry: a step for each answer of the model,
 * one part for each call, closed where it stands, data parts for repairs, errors and what is waited for. The words
 * that the run ends with come last, in a step of their own.
 */
export class MessageParts {
  readonly list: MessagePart[] = []
  private readonly tools: ReadonlyMap<string, ToolSpecification>
  /** What the model has written of a step; it counts when the step ends. */
  private step: { text: string; calls: Call[] } | undefined
  private readonly calls = new Map<string, Call>()
  private readonly waiting = new Map<string, Question>()
  /** The model's last words, and their part where they stand in a step of their own. */
  private said = ''
  private answer: MessagePart | undefined

  constructor(tools: ReadonlyMap<string, ToolSpecification>) {
    this.tools = tools
  }

  take(entry: Entry): void {
    switch (entry.type) {
      case 'run-start':
        this.step = undefined
        break
      case 'step-start':
        this.step = { text: '', calls: [] }
        break
      case 'model-text':
        if (this.step) this.step.text += entry.text
        break
      case 'call':
        if (this.step) this.step.calls.push(entry)
        else this.putCall(entry)
        break
      case 'step-end':
        this.endStep()
        break
      case 'result':
        this.closeCall(entry)
        break
      case 'question':
        this.ask(entry)
        break
      case 'decision':
        this.decide(entry)
        break
      case 'nudge':
        // The model is asked again for what it has not said well.
        if (entry.stall !== 'repetition') this.dropAnswer()
        break
      case 'run-end':
        this.endRun(entry)
    }
  }

  private endStep(): void {
    const { text, calls } = this.step ?? { text: '', calls: [] }
    this.step = undefined
    this.answer = undefined
    const hasText = text.trim() !== ''
    if (hasText || calls.length > 0) this.list.push({ type: 'step-start' })
    if (hasText) {
      const part = textPart(text)
      this.list.push(part)
      this.said = text
      if (calls.length === 0) this.answer = part
    }
    for (const call of calls) this.putCall(call)
  }

  /** A call of the model, or one that a decision lets go on. */
  private putCall(call: Call): void {
    const { toolCallId, toolName, input, repairs } = call
    this.calls.set(toolCallId, call)
    const part = { type: `tool-${toolName}`, toolCallId, state: 'input-available', input }
    const held = this.find(toolCallId)
    if (held) this.replace(held, held.approval ? { ...part, approval: held.approval } : part)
    else this.list.push(part)
    if (repairs.length > 0) this.putBeside('data-repair', toolCallId, { toolCallId, repairs })
  }

  private closeCall({ toolCallId, result }: Result): void {
    const held = this.find(toolCallId)
    if (!held) return
    const { type, input, approval } = held
    const part = { type, toolCallId, input }
    if (result.ok) {
      const output = shortenOutput(result.data ?? null, outputLimit).data
      this.replace(held, { ...part, state: 'output-available', output, ...(approval ? { approval } : {}) })
      return
    }
    const { errorType, details } = result
    if (errorType === 'approval_denied' && approval) {
      this.replace(held, { ...part, state: 'output-denied', approval: { ...approval, approved: false } })
    } else {
      this.replace(held, { ...part, state: 'output-error', errorText: questionForPeople(result) })
    }
    const attempt = this.calls.get(toolCallId)?.attempt
    const parameter = details.parameter === undefined ? {} : { parameter: details.parameter }
    this.putBeside('data-tool-error', toolCallId, { toolCallId, attempt, errorType, ...parameter })
  }

  /** A form, a link or a time beside the call; an approval is in the call's own state. */
  private ask(question: Question): void {
    const { kind, toolCallId, toolName, resumeAt } = question
    this.waiting.set(toolCallId, question)
    const held = this.find(toolCallId)
    if (kind === 'approval') {
      // Clients look for open approvals in the last step only.
      this.dropAnswer()
      const part = {
        type: `tool-${toolName}`,
        toolCallId,
        state: 'approval-requested',
        input: question.arguments,
        approval: { id: approvalId(question) },
      }
      if (held) this.replace(held, part)
      else this.list.push({ type: 'step-start' }, part)
      return
    }
    if (held?.state === 'input-available') this.fail(held, question.question)
    if (kind === 'wait') this.put({ type: 'data-wait', id: toolCallId, data: { toolCallId, resumeAt } })
    else {
      const data = { ...describePending(question, this.tools), type: `needs_${kind}` }
      this.put({ type: 'data-question', id: toolCallId, data })
    }
  }

  private decide({ toolCallId, decision }: Decision): void {
    this.waiting.delete(toolCallId)
    const question = this.findData('data-question', toolCallId)
    if (question) this.replace(question, { ...question, data: { ...question.data, answered: true } })
    const held = this.find(toolCallId)
    if (held?.state !== 'approval-requested') return
    const approval = { ...held.approval, approved: decision !== 'deny' }
    this.replace(held, { ...held, state: 'approval-responded', approval })
  }

  private endRun({ text = this.said }: RunEnd): void {
    for (const part of this.list) {
      if (part.state === 'input-available') this.fail(part, 'This was stopped before it was done.')
    }
    if ([...this.waiting.values()].some(({ kind }) => kind === 'approval')) this.introduceApproval(text)
    else if (this.answer) this.replace(this.answer, textPart(text))
    else this.list.push({ type: 'step-start' }, textPart(text))
    this.answer = undefined
  }

  /** In the step of the call, never after it: clients look for open approvals in the last step only. */
  private introduceApproval(text: string): void {
    this.dropAnswer()
    const step = this.list.findLastIndex((part) => part.type === 'step-start')
    if (this.list[step + 1]?.text !== text) this.list.splice(step + 1, 0, textPart(text))
  }

  /** Takes back a step that has the model's words alone. */
  private dropAnswer(): void {
    if (this.answer) this.list.splice(this.list.indexOf(this.answer) - 1, 2)
    this.answer = undefined
  }

  private fail({ type, toolCallId, input }: MessagePart, errorText: string): void {
    const held = this.find(String(toolCallId))
    if (held) this.replace(held, { type, toolCallId, input, state: 'output-error', errorText })
  }

  /** Puts a data part before the model's last words; a second one of the same type and id replaces the first. */
  private put(part: DataPart): void {
    const held = this.findData(part.type, part.id)
    const place = this.answer ? this.list.indexOf(this.answer) - 1 : this.list.length
    if (held) this.replace(held, part)
    else this.list.splice(place, 0, part)
  }

  /** Puts a data part behind the call that it is about. */
  private putBeside(type: string, id: string, data: Record<string, unknown>): void {
    const held = this.findData(type, id)
    const last = this.list.findLastIndex((part) => part.toolCallId === id || part.id === id)
    if (held) this.replace(held, { type, id, data })
    else this.list.splice(last + 1, 0, { type, id, data })
  }

  private find(toolCallId: string): CallPart | undefined {
    return this.list.find((part): part is CallPart => part.toolCallId === toolCallId)
  }

  private findData(type: string, id: string): DataPart | undefined {
    return this.list.find((part): part is DataPart => part.type === type && part.id === id)
  }

  private replace(old: MessagePart, part: MessagePart): void {
    this.list[this.list.indexOf(old)] = part
  }
}

type CallPart = MessagePart & { toolCallId: string; approval?: { id: string; approved?: boolean } }
type DataPart = MessagePart & { id: string; data: Record<string, unknown> }
