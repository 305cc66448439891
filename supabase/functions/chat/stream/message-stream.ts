import type { MessageData } from '../../../../shared/api/message-data.ts'
import type { Said } from '../../../../shared/engine/core/asked.ts'
import type { ToolSpecification } from '../../../../shared/engine/core/tool-specification.ts'
import type { AgentEvent } from '../../../../shared/engine/loop/run/agent-response.ts'
import type { Entry, OwnSaid, OwnText } from '../../../../shared/engine/transcript/entry.ts'
import { noticeOf, notResponding } from '../../../../shared/engine/transcript/notice-words.ts'
import { inputsIn, sayTexts } from '../../../../shared/engine/transcript/own-words.ts'
import type { Language } from '../../../../shared/words/language.ts'
import { sayOwn } from '../../../../shared/words/say.ts'
import type { RunPlace } from '../answer/chat-answer.ts'
import { MessageParts } from '../answer/message-parts.ts'
import type { MessagePart } from '../answer/part-list.ts'
import type { AnswerMetadata } from '../answer/ui-message.ts'
import { countSame } from '../entries/stored-entry.ts'
import type { ClientDecision } from '../request/turn-request.ts'
import { failureOf, type RunFailure } from '../turn/run-feed.ts'
import { callOutcome } from './call-outcome.ts'
import { countShown } from './count-shown.ts'
import { PartWriter } from './part-writer.ts'
import type { FinishReason, StreamPart } from './stream-part.ts'

/** How a stream ends: with the answer, because the run was stopped, or with a sentence about what went wrong. */
export type StreamEnd =
  | { answer: AnswerMetadata; parts?: readonly MessagePart[]; stopped?: boolean }
  | { failure: RunFailure }

/**
 * A message as it is being written, as parts of a UI message stream: derived from the same entries as the stored message,
 * and from the deltas between them. `send` gets the parts for each event.
 *
 * It differs from the stored message because a stream cannot take anything back: words and calls of an answer that the
 * model did not complete stay, a failure of the model is an `error` part instead of words, and approvals have no decision.
 */
export class MessageStream {
  private readonly place: RunPlace
  private readonly language: Language
  private readonly continued: readonly ClientDecision[] | undefined
  private readonly emit: (parts: StreamPart[]) => void
  private readonly tools = new Map<string, ToolSpecification>()
  private message: MessageParts
  private readonly writer: PartWriter
  private batch: StreamPart[] = []
  private isSilent = false
  /** The entries of the message that were processed. */
  private entries: Entry[] = []
  private isReplaced = false
  /** Parts since the start. */
  private written = 0
  private readonly closed = new Set<string>()
  /** Our own sentences that were written: they are marked as ours before they are sent. */
  private readonly texts: OwnText[] = []
  /** The words of a run whose model could not be called. */
  private failure: RunFailure | undefined
  private readonly neverCalled: string
  private modelFailed = false
  /** How often models have failed in this step and were called again or replaced. */
  private tries = 0

  /** `continued`: the decisions of a client that has the message up to them. */
  constructor(
    place: RunPlace,
    language: Language,
    continued: readonly ClientDecision[] | undefined,
    emit: (parts: StreamPart[]) => void,
  ) {
    this.place = place
    this.language = language
    this.neverCalled = sayOwn(language, { code: 'never_called' })
    this.continued = continued
    this.emit = emit
    this.writer = new PartWriter(this.tools, this.neverCalled, (part) => this.send(part))
    this.message = this.newMessage()
  }

  private newMessage(): MessageParts {
    return new MessageParts(this.tools, this.language, (change) => {
      if (!this.isSilent) this.writer.change(change)
    })
  }

  start(): void {
    const { conversationId, runId, messageId } = this.place
    this.batch.push({ type: 'start', messageId, messageMetadata: { conversationId, runId } })
    this.flush()
  }

  /** All entries of the message so far. What a new client has not received yet is sent in its current state. */
  onEntries(entries: readonly Entry[], tools: readonly ToolSpecification[]): void {
    for (const tool of tools) this.tools.set(tool.name, tool)
    const { continued } = this
    if (this.isReplaced) this.rewind(entries)
    const isFirst = this.entries.length === 0
    const fresh = entries.slice(this.entries.length)
    const silent = !isFirst ? 0 : continued ? countShown(entries, continued) : fresh.length
    this.isSilent = true
    for (const entry of fresh.slice(0, silent)) this.add(entry)
    this.isSilent = false
    if (isFirst && this.texts.length > 0) this.sendTexts()
    if (isFirst && !continued) this.writer.writeAll(this.message.list)
    for (const entry of fresh.slice(silent)) this.add(entry)
    this.flush()
  }

  onEvent(event: AgentEvent): void {
    switch (event.type) {
      case 'text-delta':
        this.writer.textDelta(event.delta)
        break
      case 'thought-delta':
        this.writer.thoughtDelta(event.delta)
        break
      case 'input-start':
        this.writer.inputStart(event.toolCallId, event.toolName)
        break
      case 'input-delta':
        this.writer.inputDelta(event.toolCallId, event.delta)
        break
      case 'restart':
        this.writer.endDraft()
        break
      default:
        this.add(event)
    }
    this.flush()
  }

  /** Another run goes on with the message. What is not in its entries is closed, since it cannot be taken back. */
  onReplaced(): void {
    this.isReplaced = true
  }

  private rewind(entries: readonly Entry[]): void {
    this.isReplaced = false
    this.writer.endDraft()
    const kept = this.entries.slice(0, countSame(this.entries, entries))
    if (kept.length === this.entries.length) return
    const shown = this.message.list
    this.entries = []
    this.texts.length = 0
    this.message = this.newMessage()
    this.isSilent = true
    for (const entry of kept) this.add(entry)
    this.isSilent = false
    this.writer.endStep()
    const known = new Set(this.message.list.map(({ toolCallId }) => toolCallId))
    this.closeOpenCalls(
      this.neverCalled,
      shown.filter(({ toolCallId }) => !known.has(toolCallId)),
    )
  }

  end(end: StreamEnd): void {
    this.writer.endDraft()
    const failure = 'failure' in end ? end.failure : this.failure
    const errorText = failure?.text
    if (errorText !== undefined) this.closeOpenCalls(errorText)
    const parts = ('answer' in end ? end.parts : undefined) ?? this.message.list
    for (const { toolCallId } of this.continued ?? []) this.closeDecided(toolCallId, parts)
    const metadata = 'answer' in end ? end.answer : undefined
    const isStopped = 'answer' in end && end.stopped === true
    if (this.written === 0 && errorText === undefined) this.writer.beginStep()
    const sendsMetadata = this.written <= 1 || isStopped || errorText !== undefined
    if (metadata && sendsMetadata) this.send({ type: 'message-metadata', messageMetadata: metadata })
    this.writer.endStep()
    if (failure) this.sendFailure(failure)
    else if (isStopped) this.send({ type: 'abort' })
    else if (metadata) {
      this.send({ type: 'finish', finishReason: finishReason(metadata), messageMetadata: metadata })
    }
    this.flush()
  }

  private add(entry: Entry): void {
    this.entries.push(entry)
    const isEnd = entry.type === 'run-end'
    // A stopped run's text is followed by how it ended.
    const goesOn = isEnd && this.writer.draftsTextAlone
    if (['run-start', 'step-start'].includes(entry.type) || (isEnd && !goesOn)) this.writer.endDraft()
    if (entry.type === 'run-start') {
      this.modelFailed = false
      this.failure = undefined
    }
    if (entry.type === 'notice' && entry.notice === 'model-failed') this.modelFailed = true
    if (entry.type === 'step-start') this.tries = 0
    if (entry.type === 'run-end' && entry.status === 'failed' && this.modelFailed)
      this.failure = failureOf(entry, this.language)
    // Its words are the error that the stream ends with.
    else {
      if (isEnd) this.keepTexts(entry.ours ?? [])
      this.message.add(entry)
    }
    const notice = this.noticeOf(entry)
    // Not part of the message: it counts as nothing written.
    if (notice && !this.isSilent) {
      const data: MessageData['notice'] = { ...notice, text: sayOwn(this.language, notice) }
      this.batch.push({ type: 'data-notice', data, transient: true })
    }
    if (entry.type === 'step-end' || goesOn) this.writer.endDraft()
  }

  private keepTexts(ours: readonly OwnSaid[]): void {
    if (ours.length === 0) return
    this.texts.push(...sayTexts(this.language, ours, inputsIn(this.entries), this.tools))
    if (!this.isSilent) this.sendTexts()
  }

  private sendTexts(): void {
    this.send({ type: 'message-metadata', messageMetadata: { texts: [...this.texts] } })
  }

  /** The notice for people: not for the first failure, which is often the last. */
  private noticeOf(entry: Entry): Said | undefined {
    if (entry.type === 'nudge') return noticeOf(entry)
    if (entry.type !== 'notice' || entry.notice === 'model-failed') return undefined
    if (entry.notice === 'tool-refused' || entry.notice === 'window-learned') return undefined
    if (entry.notice === 'budget') return entry.told
    this.tries++
    return entry.notice === 'model-retry' && this.tries > 1 ? notResponding : undefined
  }

  /** An error part has no room for a code: it is told beside it, for clients in other languages. */
  private sendFailure(failure: RunFailure): void {
    const data: MessageData['notice'] = failure
    this.send({ type: 'data-notice', data, transient: true })
    this.send({ type: 'error', errorText: failure.text })
  }

  /** Closes calls that are still running when nothing more will be heard of them. */
  private closeOpenCalls(errorText: string, parts: readonly MessagePart[] = this.message.list): void {
    for (const part of parts) {
      if (part.state !== 'input-available') continue
      const toolCallId = String(part.toolCallId)
      this.send({ type: 'tool-output-error', toolCallId, errorText })
    }
  }

  /** A client that decided about a call and never hears the outcome would ask again, endlessly. */
  private closeDecided(toolCallId: string, parts: readonly MessagePart[]): void {
    const part = parts.find((one) => one.toolCallId === toolCallId && one.type.startsWith('tool-'))
    const outcome = part && !this.closed.has(toolCallId) ? callOutcome(part) : undefined
    if (outcome) this.send(outcome)
  }

  private send(part: StreamPart): void {
    this.written++
    if ('toolCallId' in part && part.type !== 'tool-input-available') this.closed.add(part.toolCallId)
    this.batch.push(part)
  }

  private flush(): void {
    if (this.batch.length === 0) return
    const parts = this.batch
    this.batch = []
    this.emit(parts)
  }
}

function finishReason({ status }: AnswerMetadata): FinishReason {
  if (status === 'completed') return 'stop'
  return status === 'needs_approval' ? 'tool-calls' : 'other'
}
