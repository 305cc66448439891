import type { RefusalCode } from '../../../../shared/api/refusals.ts'
import type { ToolSpecification } from '../../../../shared/engine/core/tool-specification.ts'
import type { AgentEvent, Delta } from '../../../../shared/engine/loop/run/agent-response.ts'
import { textOfEnd } from '../../../../shared/engine/transcript/end-text.ts'
import type { Entry, OwnText, RunEnd } from '../../../../shared/engine/transcript/entry.ts'
import { sayTexts } from '../../../../shared/engine/transcript/own-words.ts'
import type { ApiError } from '../../../../shared/server/http/api-error.ts'
import type { Language } from '../../../../shared/words/language.ts'
import type { EndedRun } from '../answer/chat-answer.ts'
import { isDelta } from './entry-buffer.ts'

/** What went wrong in words, with the code that a refused request would have. */
export interface RunFailure {
  code: RefusalCode
  values?: OwnText['values']
  text: string
}

/** What went wrong in a run that ended because its model could not be called, in a language. */
export function failureOf(end: RunEnd, language: Language): RunFailure {
  const text = textOfEnd({ text: end.text, ours: sayTexts(language, end.ours) }, '')
  const own = end.ours?.find(({ code }) => code === 'context_too_long')
  return own ? { code: 'context_too_long', values: own.values, text } : { code: 'model_unavailable', text }
}

/** How a run has ended, for its followers. `failure`: what went wrong on the server, which the words of its answer say. */
export type RunOutcome =
  | { run: EndedRun; stopped: boolean; failure?: RefusalCode }
  | { refusal: ApiError }
  /** Its process is gone. */
  | 'interrupted'

/** Instead of an outcome: the process was silent for too long, and this run writes its message now. */
export interface ReplacedRun {
  replacedBy: string
}

/** A listener that follows a run. */
export interface RunListener {
  /** All entries of its message so far. */
  onEntries(entries: readonly Entry[], tools: readonly ToolSpecification[]): void
  onEvent(event: AgentEvent): void
  onEnd(outcome: RunOutcome | ReplacedRun): void
}

/** What people act on, or take for done. */
const outcomes: ReadonlySet<AgentEvent['type']> = new Set([
  'result',
  'question',
  'decision',
  'closed',
  'run-end',
])

/** Whether an event is told only once it is stored, and what follows it only after it. A write may still ask first. */
function waitsForStorage(event: AgentEvent): boolean {
  return outcomes.has(event.type) || (event.type === 'call' && event.effect === 'write')
}

function isRead(event: AgentEvent): boolean {
  return event.type === 'call' && event.effect === 'read'
}

/**
 * A run of this process, for any number of listeners, whenever they come. Keeps the entries of the message, and, of the
 * deltas in between, only those that are not yet an entry. Nobody is told an outcome, or that somebody is asked, before it
 * is stored. A run that continues an earlier one starts by rewriting, all at once, what that one has left open: nobody is
 * told before.
 */
export class RunFeed {
  private readonly entries: Entry[]
  private readonly tools: readonly ToolSpecification[]
  private readonly onAwaited: () => void
  private draft: Delta[] = []
  private readonly listeners = new Set<RunListener>()
  private readonly early = new Set<RunListener>()
  private hasBegun: boolean
  private outcome: RunOutcome | ReplacedRun | undefined
  /** What is not told yet, with the number of the entry, or of the one before a delta, counted from 1. */
  private unstored: { event: AgentEvent; number: number }[] = []
  private pushed = 0

  /** `entries`: those of the message, by earlier runs. `onAwaited` is called when something `isAwaited`. */
  constructor(
    entries: readonly Entry[],
    tools: readonly ToolSpecification[],
    onAwaited: () => void = () => {},
  ) {
    this.entries = [...entries]
    this.tools = tools
    this.onAwaited = onAwaited
    this.hasBegun = entries.length === 0
  }

  push(event: AgentEvent): void {
    const isEntry = !isDelta(event)
    if (isEntry) this.pushed++
    if (this.unstored.length === 0 && !waitsForStorage(event)) this.show(event)
    else {
      this.unstored.push({ event, number: this.pushed })
      if (isEntry) this.noteUnstored()
    }
    if (!this.hasBegun) {
      queueMicrotask(() => {
        if (this.unstored.length === 0) this.begin()
      })
    }
  }

  /** The first `count` entries of this run are in the database. */
  release(count: number): void {
    const rest = this.unstored.findIndex(({ event, number }) => number > count && waitsForStorage(event))
    for (const { event } of this.unstored.splice(0, rest < 0 ? this.unstored.length : rest)) this.show(event)
    this.begin()
    this.noteUnstored()
  }

  /** What is not stored by now is not told. */
  end(outcome: RunOutcome | ReplacedRun): void {
    this.unstored = []
    this.begin()
    this.outcome = outcome
    for (const listener of this.listeners) listener.onEnd(outcome)
    this.listeners.clear()
  }

  /** Sends what there is immediately, and the rest as it happens. Returns a function that ends it. */
  follow(listener: RunListener): () => void {
    if (this.hasBegun) this.sendAll(listener)
    else this.early.add(listener)
    this.noteUnstored()
    return () => {
      this.early.delete(listener)
      this.listeners.delete(listener)
    }
  }

  /**
   * Whether somebody is waiting for something that only has to be stored. The claim of a write stores its call; whatever
   * asks somebody ends the run, and is stored with its end.
   */
  get isAwaited(): boolean {
    const events = this.unstored.map(({ event }) => event)
    const isEnding = events.some(({ type }) => type === 'question' || type === 'run-end')
    const isWanted = events.some((event) => outcomes.has(event.type) || isRead(event))
    return isWanted && !isEnding && this.listeners.size + this.early.size > 0
  }

  private noteUnstored(): void {
    if (this.isAwaited) this.onAwaited()
  }

  private show(event: AgentEvent): void {
    switch (event.type) {
      case 'text-delta':
      case 'thought-delta':
      case 'input-start':
      case 'input-delta':
        this.keep(event)
        break
      case 'restart':
        this.draft = []
        break
      case 'step-start':
      case 'step-end':
      case 'run-end':
        this.draft = []
        this.entries.push(event)
        break
      default:
        this.entries.push(event)
    }
    for (const listener of this.listeners) listener.onEvent(event)
  }

  private begin(): void {
    this.hasBegun = true
    for (const listener of this.early) this.sendAll(listener)
    this.early.clear()
  }

  private sendAll(listener: RunListener): void {
    listener.onEntries(this.entries, this.tools)
    for (const delta of this.draft) listener.onEvent(delta)
    if (this.outcome) listener.onEnd(this.outcome)
    else this.listeners.add(listener)
  }

  /** Deltas of one text or one input are merged. */
  private keep(event: Delta): void {
    const last = this.draft.at(-1)
    if (event.type === 'text-delta' && last?.type === 'text-delta') {
      this.draft[this.draft.length - 1] = { ...last, delta: last.delta + event.delta }
    } else if (
      event.type === 'input-delta' &&
      last?.type === 'input-delta' &&
      last.toolCallId === event.toolCallId
    ) {
      this.draft[this.draft.length - 1] = { ...last, delta: last.delta + event.delta }
    } else this.draft.push(event)
  }
}
