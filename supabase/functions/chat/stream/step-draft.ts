import type { StreamPart } from './stream-part.ts'

/**
 * What clients were shown of a step while the model writes it. The entries of the step say what counts; whatever they do
 * not take up was void.
 */
export class StepDraft {
  /** The text as shown, with the id of its part; undefined before there is any. */
  text: { id: string; shown: string } | undefined
  /** The model's thoughts as shown; they end when the model starts to say or do something. */
  thought: { id: string; isOpen: boolean } | undefined
  /** Calls of which clients know only the start. */
  readonly calls = new Set<string>()
  /** Whether its step was started. */
  begun = false
  /** Whether calls are shown only when the step is complete. */
  private isWaiting = false
  /** Spaces before the text: a text of spaces alone is not a part. */
  private blanks = ''
  private readonly tools: ReadonlyMap<string, unknown>

  constructor(tools: ReadonlyMap<string, unknown>) {
    this.tools = tools
  }

  /** `begin` is called before the first part; `nextId` names a text. */
  addText(delta: string, begin: () => void, nextId: () => string): StreamPart[] {
    if (this.text) {
      this.text.shown += delta
      return [{ type: 'text-delta', id: this.text.id, delta }]
    }
    this.blanks += delta
    if (this.blanks.trim() === '') return []
    begin()
    const id = nextId()
    this.text = { id, shown: this.blanks }
    return [...this.endThought(), { type: 'text-start', id }, { type: 'text-delta', id, delta: this.blanks }]
  }

  /** Later thoughts, between words, are shown when the message is read again. */
  addThought(delta: string, begin: () => void, nextId: () => string): StreamPart[] {
    if (this.thought)
      return this.thought.isOpen ? [{ type: 'reasoning-delta', id: this.thought.id, delta }] : []
    if (this.text || this.calls.size > 0 || delta.trim() === '') return []
    begin()
    this.thought = { id: nextId(), isOpen: true }
    const { id } = this.thought
    return [
      { type: 'reasoning-start', id },
      { type: 'reasoning-delta', id, delta },
    ]
  }

  endThought(): StreamPart[] {
    if (!this.thought?.isOpen) return []
    this.thought.isOpen = false
    return [{ type: 'reasoning-end', id: this.thought.id }]
  }

  /**
   * A name that belongs to no tool is shown once its meaning is known, because the oldest clients cannot rename a part;
   * the calls after it wait for it, so that they stay in order.
   */
  startCall(toolCallId: string, toolName: string, begin: () => void): StreamPart[] {
    this.isWaiting ||= !this.tools.has(toolName)
    if (this.isWaiting) return []
    begin()
    this.calls.add(toolCallId)
    return [...this.endThought(), { type: 'tool-input-start', toolCallId, toolName }]
  }

  addInput(toolCallId: string, delta: string): StreamPart[] {
    return this.calls.has(toolCallId) ? [{ type: 'tool-input-delta', toolCallId, inputTextDelta: delta }] : []
  }
}
