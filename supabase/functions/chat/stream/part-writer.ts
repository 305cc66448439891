import type { MessagePart, PartChange } from '../answer/part-list.ts'
import { approvalRequest, callOutcome } from './call-outcome.ts'
import { StepDraft } from './step-draft.ts'
import type { SourcePart, StreamPart } from './stream-part.ts'

/**
 * Sends the changes of a message as parts of a stream. A step stays open until the next one starts, so that words and
 * approvals can still be added to it. Nothing can be taken back: what was shown of an answer that the model did not
 * complete stays with the clients that have seen it.
 */
export class PartWriter {
  private readonly send: (part: StreamPart) => void
  private readonly tools: ReadonlyMap<string, unknown>
  private inStep = false
  private draft: StepDraft | undefined
  /** Texts that can still be added to: their id, and the part that was shown. */
  private readonly openTexts = new Map<MessagePart, { id: string; shown: string }>()
  private texts = 0
  private readonly neverCalled: string

  /** `neverCalled`: what is said of a call that was shown while it was written, and never was one. */
  constructor(tools: ReadonlyMap<string, unknown>, neverCalled: string, send: (part: StreamPart) => void) {
    this.tools = tools
    this.neverCalled = neverCalled
    this.send = send
  }

  /** A complete message in its current state, for a client that has none of it yet. */
  writeAll(parts: readonly MessagePart[]): void {
    for (const part of parts) this.change({ part, inLastStep: true })
  }

  change({ part, old, inLastStep }: PartChange): void {
    if (part.type === 'step-start') this.beginStep()
    else if (part.type === 'text') this.writeText(part, old)
    else if (part.type === 'reasoning') this.writeThought(String(part.text))
    else if (part.type.startsWith('data-')) this.writeData(part)
    else if (part.type.startsWith('source-')) this.send(part as unknown as SourcePart)
    else this.writeCall(part, old, inLastStep)
  }

  textDelta(delta: string): void {
    const draft = this.startDraft()
    this.sendAll(draft.addText(delta, () => this.beginDraftedStep(draft), this.nextTextId))
  }

  thoughtDelta(delta: string): void {
    const draft = this.startDraft()
    this.sendAll(draft.addThought(delta, () => this.beginDraftedStep(draft), this.nextTextId))
  }

  inputStart(toolCallId: string, toolName: string): void {
    const draft = this.startDraft()
    this.sendAll(draft.startCall(toolCallId, toolName, () => this.beginDraftedStep(draft)))
  }

  inputDelta(toolCallId: string, delta: string): void {
    if (this.draft) this.sendAll(this.draft.addInput(toolCallId, delta))
  }

  /** Whether the model has written words and started no call. */
  get draftsTextAlone(): boolean {
    return this.draft?.text !== undefined && this.draft.calls.size === 0
  }

  /** The step is complete, or never will be: whatever the entries did not take up is closed. */
  endDraft(): void {
    const { draft } = this
    if (!draft) return
    this.sendAll(draft.endThought())
    for (const toolCallId of draft.calls) {
      this.send({ type: 'tool-output-error', toolCallId, errorText: this.neverCalled })
    }
    if (draft.text) this.send({ type: 'text-end', id: draft.text.id })
    this.draft = undefined
  }

  endStep(): void {
    for (const { id } of this.openTexts.values()) this.send({ type: 'text-end', id })
    this.openTexts.clear()
    if (this.inStep) this.send({ type: 'finish-step' })
    this.inStep = false
  }

  beginStep(): void {
    if (this.draft?.begun) return
    this.endStep()
    this.send({ type: 'start-step' })
    this.inStep = true
  }

  private startDraft(): StepDraft {
    this.draft ??= new StepDraft(this.tools)
    return this.draft
  }

  private beginDraftedStep(draft: StepDraft): void {
    this.beginStep()
    draft.begun = true
  }

  private writeText(part: MessagePart, old: MessagePart | undefined): void {
    const text = String(part.text)
    const open = old ? this.openTexts.get(old) : this.draft?.text
    if (old) this.openTexts.delete(old)
    else if (this.draft) this.draft.text = undefined
    if (open && text.startsWith(open.shown)) {
      const delta = text.slice(open.shown.length)
      if (delta !== '') this.send({ type: 'text-delta', id: open.id, delta })
      this.openTexts.set(part, { id: open.id, shown: text })
      return
    }
    if (open) this.send({ type: 'text-end', id: open.id })
    const id = this.nextTextId()
    this.send({ type: 'text-start', id })
    this.send({ type: 'text-delta', id, delta: text })
    this.openTexts.set(part, { id, shown: text })
  }

  /** Once: a client that has seen it being written does not need it again. */
  private writeThought(delta: string): void {
    if (this.draft?.thought) {
      this.sendAll(this.draft.endThought())
      return
    }
    const id = this.nextTextId()
    this.sendAll([
      { type: 'reasoning-start', id },
      { type: 'reasoning-delta', id, delta },
      { type: 'reasoning-end', id },
    ])
  }

  private writeData({ type, id, data }: MessagePart): void {
    const named = typeof id === 'string' ? { id } : {}
    this.send({ type: type as `data-${string}`, ...named, data })
  }

  private writeCall(part: MessagePart, old: MessagePart | undefined, inLastStep: boolean): void {
    const isOpen = part.state === 'input-available' || part.state === 'approval-responded'
    if (!old) {
      this.draft?.calls.delete(String(part.toolCallId))
      this.writeInput(part)
      if (part.approval && part.state !== 'approval-requested') {
        // A client that sees it only now is shown that it was asked, and that it is over.
        this.sendAll([approvalRequest(part)])
        if (isOpen) this.writeInput(part)
      }
    } else if (inLastStep && (part.type !== old.type || !isSame(part.input, old.input))) {
      // In another step, clients would show it as a second call.
      this.writeInput(part)
    }
    this.sendAll([callOutcome(part)])
  }

  private writeInput({ type, toolCallId, input = null }: MessagePart): void {
    const toolName = type.slice('tool-'.length)
    this.send({ type: 'tool-input-available', toolCallId: String(toolCallId), toolName, input })
  }

  private sendAll(parts: readonly (StreamPart | undefined)[]): void {
    for (const part of parts) if (part) this.send(part)
  }

  private readonly nextTextId = () => {
    this.texts++
    return `t${this.texts}`
  }
}

function isSame(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b)
}
