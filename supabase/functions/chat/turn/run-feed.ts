import type { RefusalCode } from '../../../../shared/api/refusals.ts'
import type { ToolSpecification } from '../../../../shared/engine/core/tool-specification.ts'
import type { AgentEvent, Delta } from '../../../../shared/engine/loop/run/agent-response.ts'
import type { Entry } from '../../../../shared/engine/transcript/entry.ts'
import type { ChatAnswer } from '../answer/chat-answer.ts'

/** A sentence about what went wrong, with the code that a refused request would have. */
export interface RunFailure {
  code: RefusalCode
  text: string
}

/** How a run has ended, for its followers. `failure`: what went wrong on the server. */
export type RunOutcome =
  | { answer: ChatAnswer; stopped: boolean; failure?: RunFailure }
  | { refusal: RunFailure }
  /** Its process is gone. */
  | 'interrupted'

/** A listener that follows a run. */
export interface RunListener {
  /** All entries of its message so far. */
  onEntries(entries: readonly Entry[], tools: readonly ToolSpecification[]): void
  onEvent(event: AgentEvent): void
  onEnd(outcome: RunOutcome): void
}

/**
 * A run of this process, for any number of listeners, whenever they come. Keeps the entries of the message, and, of the
 * deltas in between, only those that are not yet an entry. A run that continues an earlier one starts by rewriting, all
 * at once, what that one has left open: nobody is told before.
 */
export class RunFeed {
  private readonly entries: Entry[]
  private readonly tools: readonly ToolSpecification[]
  private draft: Delta[] = []
  private readonly listeners = new Set<RunListener>()
  private readonly early = new Set<RunListener>()
  private hasBegun: boolean
  private outcome: RunOutcome | undefined

  /** `entries`: those of the message, by earlier runs. */
  constructor(entries: readonly Entry[], tools: readonly ToolSpecification[]) {
    this.entries = [...entries]
    this.tools = tools
    this.hasBegun = entries.length === 0
  }

  push(event: AgentEvent): void {
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
    if (!this.hasBegun) queueMicrotask(() => this.begin())
  }

  end(outcome: RunOutcome): void {
    this.begin()
    this.outcome = outcome
    for (const listener of this.listeners) listener.onEnd(outcome)
    this.listeners.clear()
  }

  /** Sends what there is immediately, and the rest as it happens. Returns a function that ends it. */
  follow(listener: RunListener): () => void {
    if (this.hasBegun) this.tell(listener)
    else this.early.add(listener)
    return () => {
      this.early.delete(listener)
      this.listeners.delete(listener)
    }
  }

  private begin(): void {
    this.hasBegun = true
    for (const listener of this.early) this.tell(listener)
    this.early.clear()
  }

  private tell(listener: RunListener): void {
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
