import type { FreePlaces, ToolModelUse, Verification } from '../../engine/core/tool-specification.ts'
import type { CatalogueTool } from '../../integrations/definition/integration.ts'
import type { ConnectionHandle, OpenConnection } from '../connections/stored-connection.ts'
import type { StoredFile } from '../files/file-store.ts'

/** What an action runs with beside its arguments. */
export interface ActionContext {
  userId: string
  agentId?: string
  /** The user's own token; absent where the clock acts for them. */
  token?: string
  /** The first of `connections`, opened. Absent for a tool that needs none, or chooses itself. */
  connection?: OpenConnection
  /** All that the tool can use, in the user's order. */
  connections: readonly ConnectionHandle[]
  /** Equal for all deliveries of the same effect: hand it on to the provider. */
  idempotencyKey: string
  /** For a tool that names places on the web: where a page may redirect to besides them. */
  freePlaces?: FreePlaces
  /** Aborts when nobody waits for the answer any more. */
  signal: AbortSignal
  /** A file that the user has stored; undefined when they have none with this id. */
  readFile(fileId: string): Promise<StoredFile | undefined>
  /** An action that has asked a model says so, and it counts in the usage of the run. */
  usedModel(use: ToolModelUse): void
  /** A write calls this before its effect can happen: a question or a failure after it proves nothing any more. */
  effectBegins(): void
  /**
   * Writes down what the effect can be found by later (the id of a draft), before it happens; `verify` gets it. Throws
   * when this delivery may not run any more: then nothing may happen.
   */
  note(value: unknown): Promise<void>
  /** What an earlier delivery of the same effect, which provably did not happen, has noted. */
  earlierNote?: unknown
}

/** What is known of a write whose outcome is not. */
export interface VerifyContext
  extends Omit<ActionContext, 'usedModel' | 'readFile' | 'effectBegins' | 'note' | 'earlierNote'> {
  /** What the write has noted; undefined when it noted nothing. */
  note: unknown
  /** When it was let through to the effect. */
  effectStartedAt: Date
  /** Replaces `note`; false when somebody else has meanwhile, or the write has ended. */
  amend(note: unknown): Promise<boolean>
}

/** One tool and what it does. */
export interface IntegrationAction<Args = never> {
  tool: CatalogueTool
  /** It chooses among `connections` and opens them itself; there is no `connection` then. */
  chooses?: true
  /** It calls `note` before each effect: what has noted nothing has done nothing. */
  notesFirst?: true
  /**
   * Returns the data of a success; a Response is judged by its status and body. Throws Question where it needs another
   * value (before anything has happened), ToolCallError where it knows what the failure means; anything else that it
   * throws is classified, and of a write counts as "it may have happened".
   */
  run(args: Args, context: ActionContext): Promise<unknown>
  /**
   * Asks the provider whether a write happened whose outcome is unknown; without it the user is asked. `not_sent` also
   * promises that a request of it which is still on its way can do nothing any more, or no harm.
   */
  verify?(args: Args, context: VerifyContext): Promise<Verification>
}

/** What a provider said to values that a user wants to connect with. */
export interface TestedConnection {
  /** The address or account name it acts as. */
  account?: string
}

/** What the folder of an integration does, beside what it says in `integration.ts`. */
export interface Implementation {
  actions: readonly IntegrationAction[]
  /** Finds an action that is no part of the catalogue. */
  findAction?(name: string): Promise<IntegrationAction | undefined>
  /** By provider id: signs in with the values of a connection. Throws like an action. */
  testConnection?: Readonly<
    Record<string, (values: Record<string, unknown>, signal: AbortSignal) => Promise<TestedConnection>>
  >
}
