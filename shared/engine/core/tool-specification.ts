import type { JsonSchema } from './json-schema.ts'
import type { Look, Seen } from './seen.ts'
import type { ServerReply } from './server-question.ts'
import type { ToolError } from './tool-error.ts'

/** A `read` can be repeated freely; a `write` changes the world and is claimed in the ledger before it runs. */
export type Effect = 'read' | 'write'

/** A group of the project that approves instead of the user, or as well (four eyes). */
export interface Approvers {
  who: 'group' | 'both'
  groupId: string
  group: string
}

/** What the model is told about a tool. Plain JSON: it is stored in Postgres unchanged. */
export interface ToolSpecification {
  name: string
  /** The name for people, like `Send email`; derived from the tool name by default. */
  title?: string
  description: string
  parameters: JsonSchema
  effect: Effect
  /** Paths in the output whose values may be used as values from the user, e.g. `contacts[*].email`. */
  trustedOutput?: string[]
  /** Its output is private (mails, documents): from then on only addresses that the user named are read without asking. */
  private?: true
  /**
   * `always`: every call needs the user's approval; `never`: its author says that none is needed. By parameter: the
   * calls with one of these values need it.
   */
  approval?: 'always' | 'never' | Readonly<Record<string, readonly unknown[]>>
  /** What it makes acts for the user later (a schedule): calls ask, also where an agent's setting says that none need to. */
  alwaysAsks?: true
  /** Who approves its calls, if not their user alone. Then every call asks, whatever would answer for the user otherwise. */
  approvers?: Approvers
  /** The question for approval, like `Send "{subject}" to {to}?`. */
  confirm?: string
  /** What a call did, in one line for people, like `Sent "{subject}" to {to}`; can also use its output, `{output.title}`. */
  summary?: string
  /** The verb on the approval button, like `Send email`. */
  button?: string
  /** What it is once it is done, after "already" or "not", like `sent`. */
  past?: string
  /**
   * It overwrites (`true`) or deletes (`'delete'`): it asks while the model reads outside content, once per user message
   * and the arguments that `confirm` names (all, without it); what overwrites doesn't if every value is the user's. By
   * parameter: the calls with one of these values do; `delete` and `delete_forever` delete, for others a map says it.
   */
  destructive?:
    | true
    | 'delete'
    | Readonly<Record<string, readonly unknown[] | Readonly<Record<string, true | 'delete'>>>>
  /** Doing it again in a later turn is normal (drafts, labels): then nobody is asked. */
  repeats?: true
  /** The user's own account can undo it (drafts, labels, a new document): an MCP client may have it done unasked. */
  reversible?: true
  /** Empty text is a value, except for parameters with a `source` or a format: so tools of others mean it. */
  emptyText?: true
  /**
   * A tool of a server that others run: it is called by exactly this name and proposed for no other, and a web address among
   * its arguments counts as `source: 'seen'`.
   */
  foreign?: true
  /** Of a foreign tool: what was read elsewhere may be sent to its server without asking. */
  mayHavePrivate?: true
  /** The parameter with the id of the mail it replies to: the sender of that mail is then known, but only as a recipient. */
  repliesTo?: string
  /**
   * When an approval is asked, the tool looks at what the effect depends on (`Tool.look`), and compares right before it:
   * for every call, or only for those that have this parameter.
   */
  looks?: true | string
  /** Bytes of output that the model reads, 32768 by default; longer output is shortened. */
  maxOutputBytes?: number
  /**
   * It can read on: the integer `parameter` says at which character the text begins that its output has at the path
   * `text`. If that text is shortened, the model is told the next value.
   */
  readsOn?: { parameter: string; text: string }
  /** Ids of the providers it can use, preferred one first: one of them has to be connected. */
  providers?: string[]
}

/** A model call made by a tool itself, for example to summarise a page. */
export interface ToolModelUse {
  /** Its purpose in a word: `summary`. */
  purpose: string
  provider: string
  model: string
  usage: { inputTokens: number; outputTokens: number }
  /** US dollars, if the price is known. */
  cost?: number
  durationMs: number
}

/** Places on the web that may be read without asking. */
export interface FreePlaces {
  /** Registrable domains. */
  sites: string[]
  addresses: string[]
}

export interface ExecuteContext {
  /** Aborts when the run is stopped or the tool's time is over. */
  signal: AbortSignal
  /** Ours, as in events and answers; absent outside of a run. */
  toolCallId?: string
  /** The same for repetitions of one effect: pass it on to the provider. */
  idempotencyKey: string
  /** 1 for the first attempt of this intent. */
  attempt: number
  /** For a tool that reads the web (`source: 'seen'`): where a page may redirect to. */
  freePlaces?: FreePlaces
  /** What the approval of exactly this call relied on: if it is no longer so, the tool does nothing and throws `Changed`. */
  seen?: Seen
  /** What the user has answered to the server of this tool, which asked before it went on with exactly this call. */
  reply?: ServerReply
  /** A write calls this before its effect can happen: a failure or a question after it no longer proves that nothing did. */
  effectBegins(): void
  /** Reports a model call of the tool, which counts as usage of the run. */
  usedModel(use: ToolModelUse): void
}

/**
 * Whether an effect whose reply was lost has happened. `not_found`: it was looked for, which proves nothing, since it may still
 * come.
 */
export type Verification = 'sent' | 'not_sent' | 'not_found' | 'unknown'

export interface LookContext {
  /** Aborts after 2 s: see `Limits.lookTimeoutMs`. */
  signal: AbortSignal
  /** What was seen before, if the same is asked again: the look says what has changed since. */
  seen?: Seen
}

export interface Tool {
  specification: ToolSpecification
  /** Returns the output, a ToolResult, or throws; whatever comes back is classified. */
  execute(args: Record<string, unknown>, context: ExecuteContext): unknown
  /** What is missing before a person is asked to approve a call, like a connection; undefined if nothing is. */
  requirement?(args: Record<string, unknown>): ToolError | undefined
  /**
   * Tests the user's connection when a tool that names `providers` asks a second time. Returns the error that says what to
   * fix; undefined if it works or nobody can tell.
   */
  checkConnection?(args: Record<string, unknown>, signal: AbortSignal): Promise<ToolError | undefined>
  /**
   * Looks, when an approval is asked, at what the effect of the call depends on; changes nothing. Undefined, or any
   * failure: nothing is compared later. Only with `looks` in the specification.
   */
  look?(args: Record<string, unknown>, context: LookContext): Promise<Look | undefined>
  /** Asks the provider whether a write with unknown outcome happened. */
  verify?(args: Record<string, unknown>, context: ExecuteContext): Promise<Verification>
}

/** Implementations by tool name, bound to specifications at run time. */
export type ToolLibrary = ReadonlyMap<string, Tool>
