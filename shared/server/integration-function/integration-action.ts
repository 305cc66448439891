import type { Compare, Look, Seen } from '../../engine/core/seen.ts'
import type { FreePlaces, ToolModelUse, Verification } from '../../engine/core/tool-specification.ts'
import type { CatalogueTool } from '../../integrations/definition/integration.ts'
import type { ConnectionHandle, OpenConnection } from '../connections/stored-connection.ts'
import type { StoredFile } from '../files/file-store.ts'

/** What an action gets besides its arguments. */
export interface ActionContext {
  userId: string
  agentId?: string
  /** What the conversation belongs to in the app, as its client says. */
  scope?: string
  /** The user's own token; absent if the clock acts for them. */
  token?: string
  /** The program over MCP for which it is done, as Supabase's OAuth server knows it; then there is no token. */
  clientId?: string
  /** The first of `connections`, opened. Absent for a tool that needs none, or chooses itself. */
  connection?: OpenConnection
  /** All connections that the tool can use, in the user's order. */
  connections: readonly ConnectionHandle[]
  /**
   * The same for all deliveries of one effect, and for a second try within a day if nobody knows what became of the first:
   * pass it on to the provider.
   */
  idempotencyKey: string
  /** For a tool that reads the web: additional places that a page may redirect to. */
  freePlaces?: FreePlaces
  /** Aborts when nobody is waiting for the answer any more. */
  signal: AbortSignal
  /** Reads a stored file of the user; undefined if they have none with this id. */
  readFile(fileId: string): Promise<StoredFile | undefined>
  /** Reports a model call of the action, which counts as usage of the run. */
  usedModel(use: ToolModelUse): void
  /**
   * Present if the approval of this very call relied on what `look` saw. A write then looks again right before its effect,
   * with the provider's own condition where there is one, and passes what it sees. Throws `Changed` if that is no longer so:
   * nothing may be done, and the user is asked again and told what has changed.
   */
  requireUnchanged?(now: Seen): void
  /** A write calls this before its effect can happen: a question or an error after it no longer proves that nothing did. */
  effectBegins(): void
  /**
   * Records how the effect can be found later (the id of a draft), before it happens; `verify` gets it. Throws if this
   * delivery may no longer run: then nothing may happen.
   */
  note(value: unknown): Promise<void>
  /** What an earlier delivery with the same key has recorded, which did not happen, or of which nobody knows whether it did. */
  earlierNote?: unknown
}

/** What a look gets besides the arguments: it changes nothing, and has 2 s. */
export type LookContext = Omit<
  ActionContext,
  'usedModel' | 'readFile' | 'effectBegins' | 'note' | 'earlierNote' | 'idempotencyKey' | 'requireUnchanged'
>

/** What is known about a write whose outcome is unknown. */
export interface VerifyContext extends LookContext {
  /** Of the write. */
  idempotencyKey: string
  /** What the write has recorded; undefined if nothing. */
  note: unknown
  /** When it was allowed to run its effect. */
  effectStartedAt: Date
  /** Replaces `note`; false if somebody else has in the meantime, or the write has ended. */
  amend(note: unknown): Promise<boolean>
}

/** One tool and its implementation. */
export interface IntegrationAction<Args = never> {
  tool: CatalogueTool
  /** It chooses among `connections` and opens them itself; `connection` is absent then. */
  chooses?: true
  /** It calls `note` before each effect: if nothing was recorded, nothing was done. */
  notesFirst?: true
  /**
   * Returns the data of a success; a Response is judged by its status and body. Throws a Question if it needs another
   * value (before anything has happened), or a ToolCallError if it knows what the failure means; any other error is
   * classified, and after a write counts as "it may have happened".
   */
  run(args: Args, context: ActionContext): Promise<unknown>
  /**
   * Looks at what the effect of a call depends on, when the user is about to be asked for approval; `fixed` are arguments
   * that the call leaves open. Undefined, or any error: nothing is compared. Called if the tool says `looks`.
   */
  look?(args: Args, context: LookContext): Promise<Pick<Look, 'seen' | 'fixed'> | undefined>
  /** What has changed between two looks: by default every member that is not equal. */
  compare?: Compare
  /**
   * Asks the provider whether a write with unknown outcome happened; without it the user is asked. `not_sent` also
   * promises that a request still on its way can no longer do anything, or do no harm.
   */
  verify?(args: Args, context: VerifyContext): Promise<Verification>
}

/** A successful test of the values that a user wants to connect with. */
export interface TestedConnection {
  /** The address or account name it acts as. */
  account?: string
}

/** The implementation of an integration, besides its data in `integration.ts`. */
export interface Implementation {
  actions: readonly IntegrationAction[]
  /** Finds an action that is not in the catalogue. */
  findAction?(name: string): Promise<IntegrationAction | undefined>
  /** By provider id: signs in with the values of a connection. Throws like an action. */
  testConnection?: Readonly<
    Record<string, (values: Record<string, unknown>, signal: AbortSignal) => Promise<TestedConnection>>
  >
}
