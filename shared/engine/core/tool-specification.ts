import type { JsonSchema } from './json-schema.ts'
import type { ToolError } from './tool-error.ts'

/** `read` can be repeated freely; a `write` changes the world and is claimed in the ledger before it runs. */
export type Effect = 'read' | 'write'

/** What the model is told about a tool. Plain JSON: it is stored in Postgres and round-trips. */
export interface ToolSpecification {
  name: string
  /** How people read it, like `Send email`; the words of the name by default. */
  title?: string
  description: string
  parameters: JsonSchema
  effect: Effect
  /** Paths in the tool's output whose values may be used where a value must come from the user, e.g. `contacts[*].email`. */
  trustedOutput?: string[]
  /** What it returns is private (mails, documents): from then on only addresses that the user named are read unasked. */
  private?: true
  /**
   * `always`: every call waits for the user's approval; `never`: its author says that no approval is needed. By parameter: the
   * calls with one of these values do.
   */
  approval?: 'always' | 'never' | Readonly<Record<string, readonly unknown[]>>
  /** What a person is asked to approve, like `Send "{subject}" to {to}?`. */
  confirm?: string
  /** What a call did, in one line for people, like `Sent "{subject}" to {to}`; also of its output, `{output.title}`. */
  summary?: string
  /** The verb on the button that approves it, like `Send email`. */
  button?: string
  /**
   * It deletes or overwrites: it asks while something from outside stands in what the model reads, once per user
   * message for the arguments that `confirm` names (all, without it). By parameter: the calls with one of these values do.
   */
  destructive?: true | Readonly<Record<string, readonly unknown[]>>
  /** Doing it again in a later turn is usual (drafts, labels): then nobody is asked. */
  repeats?: true
  /** The parameter that holds the id of the mail it answers: the sender of that mail is then known, as its recipient only. */
  repliesTo?: string
  /** Bytes of output that the model reads, 32768 by default; what is longer is shortened. */
  maxOutputBytes?: number
  /** Ids of the providers it can work with, the preferred one first: one of them has to be connected. */
  providers?: string[]
}

/** One answer of a model that a tool asked by itself, to summarise a page for example. */
export interface ToolModelUse {
  /** What for, in a word: `summary`. */
  purpose: string
  provider: string
  model: string
  usage: { inputTokens: number; outputTokens: number }
  /** US dollars, where the price is known. */
  cost?: number
  durationMs: number
}

/** Places on the web that may be read without asking anybody. */
export interface FreePlaces {
  /** Registrable domains. */
  sites: string[]
  addresses: string[]
}

export interface ExecuteContext {
  /** Aborts when the run is stopped or the tool's time is over. */
  signal: AbortSignal
  /** Equal for repetitions of the same effect: pass it on to the provider. */
  idempotencyKey: string
  /** 1 for the first try of this intent. */
  attempt: number
  /** For a tool that names places on the web (`source: 'seen'`): where a page may redirect to. */
  freePlaces?: FreePlaces
  /** A write calls this before its effect can happen: a failure or a question after it proves nothing any more. */
  effectBegins(): void
  /** A tool that has asked a model says so, and it counts in the usage of the run. */
  usedModel(use: ToolModelUse): void
}

/** Whether an effect whose reply was lost has happened. */
export type Verification = 'sent' | 'not_sent' | 'unknown'

export interface Tool {
  specification: ToolSpecification
  /** Returns the output, a ToolResult, or throws; whatever comes back is classified. */
  execute(args: Record<string, unknown>, context: ExecuteContext): unknown
  /** What must be there before a person is asked to approve a call, like a connection; undefined when nothing is missing. */
  requirement?(args: Record<string, unknown>): ToolError | undefined
  /**
   * Asks its provider whether the user's connection works, when a tool that names `providers` asks a second time: the
   * error that says what to mend, undefined when it works or nobody can tell.
   */
  checkConnection?(args: Record<string, unknown>, signal: AbortSignal): Promise<ToolError | undefined>
  /** Asks the provider whether a write happened whose outcome is unknown. */
  verify?(args: Record<string, unknown>, context: ExecuteContext): Promise<Verification>
}

/** Implementations by tool name, bound to specifications at run time. */
export type ToolLibrary = ReadonlyMap<string, Tool>
