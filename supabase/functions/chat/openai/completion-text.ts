import type { ToolSpecification } from '../../../../shared/engine/core/tool-specification.ts'
import type { AgentEvent } from '../../../../shared/engine/loop/run/agent-response.ts'
import type { Entry } from '../../../../shared/engine/transcript/entry.ts'
import { inputsIn, sayTexts } from '../../../../shared/engine/transcript/own-words.ts'
import type { Language } from '../../../../shared/words/language.ts'
import { countSame } from '../entries/stored-entry.ts'
import { failureOf, type RunFailure } from '../turn/run-feed.ts'
import { Corrections } from './correction-words.ts'
import { SlowWrites } from './slow-writes.ts'

/**
 * The text of a run, which only grows: derived from the entries of its message and the deltas between them.
 * Each model reply is a paragraph, and so is each sentence of our own: what a model has corrected, what
 * takes long, and how it ended.
 */
export class CompletionText {
  private readonly emit: (text: string) => void
  /** The entries of the message that were processed. */
  private entries: Entry[] = []
  private isReplaced = false
  /** The received part of the answer that the model is writing. */
  private draft = ''
  private isEmpty = true
  private modelFailed = false
  private tools: ReadonlyMap<string, ToolSpecification> = new Map()
  private readonly language: Language
  private readonly corrections: Corrections
  private readonly slowWrites: SlowWrites
  /** Lines about corrections, which the words of an answer do not contain. */
  readonly corrected: string[] = []
  /** The model's last words were cut at the length limit. */
  isCut = false
  /** Why there is no answer, if the model could not be called. */
  failure: RunFailure | undefined

  constructor(language: Language, emit: (text: string) => void) {
    this.language = language
    this.corrections = new Corrections(language)
    this.slowWrites = new SlowWrites(language, (line) => this.say(line, true))
    this.emit = emit
  }

  /** All entries of the message so far. What earlier runs have said was answered before. */
  onEntries(entries: readonly Entry[], tools: readonly ToolSpecification[]): void {
    this.tools = new Map(tools.map((tool) => [tool.name, tool]))
    if (this.isReplaced) this.rewind(countSame(this.entries, entries))
    const first =
      this.entries.length === 0 ? entries.slice(0, -1).findLastIndex(({ type }) => type === 'run-end') + 1 : 0
    const fresh = entries.slice(Math.max(this.entries.length, first))
    this.entries = [...entries]
    for (const entry of fresh) this.add(entry)
  }

  onEvent(event: AgentEvent): void {
    switch (event.type) {
      case 'text-delta':
        this.say(event.delta, this.draft === '')
        this.draft += event.delta
        break
      case 'restart':
        this.draft = ''
        break
      case 'thought-delta':
      case 'input-start':
      case 'input-delta':
        break
      default:
        this.entries.push(event)
        this.add(event)
    }
  }

  /** Another run goes on with the message. What was said cannot be taken back. */
  onReplaced(): void {
    this.isReplaced = true
  }

  private rewind(kept: number): void {
    this.isReplaced = false
    this.entries = this.entries.slice(0, kept)
    this.draft = ''
    this.slowWrites.forget()
  }

  /** Nothing more is said on its own. */
  end(): void {
    this.slowWrites.end()
  }

  private add(entry: Entry): void {
    const correction = this.corrections.add(entry, this.tools)
    if (correction !== undefined) {
      this.corrected.push(correction)
      this.say(correction, true)
    }
    this.slowWrites.add(entry, this.tools)
    if (entry.type === 'step-end') this.isCut = entry.finishReason === 'length'
    if (entry.type === 'step-start') this.draft = ''
    else if (entry.type === 'run-start') this.modelFailed = false
    else if (entry.type === 'notice' && entry.notice === 'model-failed') this.modelFailed = true
    else if (entry.type === 'model-text') {
      if (this.draft === '') this.say(entry.text, true)
      this.draft = ''
    } else if (entry.type === 'run-end') {
      const { status, text = '', ours = [] } = entry
      if (status === 'failed' && this.modelFailed) {
        this.failure = failureOf(entry, this.language)
        return
      }
      // What a stopped run has written was already received.
      const isHeard = this.draft !== '' && text.startsWith(this.draft)
      if (isHeard) this.say(text.slice(this.draft.length), false)
      else this.say(text, true)
      const own = sayTexts(this.language, ours, inputsIn(this.entries), this.tools)
      this.say(own.map((one) => one.text).join('\n'), true)
    }
  }

  private say(text: string, isParagraph: boolean): void {
    if (text === '') return
    this.emit(isParagraph && !this.isEmpty ? `\n\n${text}` : text)
    this.isEmpty = false
  }
}
