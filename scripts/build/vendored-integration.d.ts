/** Types of `_askback/integration.js`, for the functions of a project. A test compares them with the module. */

export type JsonSchema = object
export type Environment = Readonly<Record<string, string | undefined>>

export interface ToolSpecification {
  name: string
  title?: string
  description: string
  parameters: JsonSchema
  effect: 'read' | 'write'
  providers?: string[]
  /** A write without it asks every time. By parameter: the calls with one of these values ask. */
  approval?: 'always' | 'never' | Readonly<Record<string, readonly unknown[]>>
  /** It overwrites (`true`) or deletes. By parameter: the calls with one of these values do. */
  destructive?:
    | true
    | 'delete'
    | Readonly<Record<string, readonly unknown[] | Readonly<Record<string, true | 'delete'>>>>
  /** The question of its approval. */
  confirm?: string
  /** What a call did, in one line. */
  summary?: string
  /** The label of the button that approves. */
  button?: string
  /** What it is then, after "already" or "not": `sent`. */
  past?: string
  private?: true
  alwaysAsks?: true
  repeats?: true
  reversible?: true
  emptyText?: true
  repliesTo?: string
  looks?: true | string
  maxOutputBytes?: number
  readsOn?: { parameter: string; text: string }
  trustedOutput?: string[]
}

export interface CatalogueTool {
  specification: ToolSpecification
  action: string
}

export interface IntegrationProvider {
  id: string
  name: string
  description: string
  service: string
  purpose: string
  connection: JsonSchema
}

export interface Integration {
  name: string
  providers: readonly IntegrationProvider[]
  tools: readonly CatalogueTool[]
  words?: IntegrationWords
}

export interface FieldWords {
  title: string
  short?: string
  question?: string
  hint?: string
  unfit?: string
  choices?: Readonly<Record<string, string>>
}

export interface ToolWords {
  title: string
  fields: Readonly<Record<string, FieldWords>>
  confirm?: string
  summary?: string
  button?: string
  past?: string
}

export interface ProviderWords {
  description: string
  purpose: string
  account?: string
  fields: Readonly<Record<string, FieldWords>>
  scopes?: Readonly<Record<string, string>>
}

export type IntegrationWords = Readonly<
  Record<
    string,
    { tools: Readonly<Record<string, ToolWords>>; providers: Readonly<Record<string, ProviderWords>> }
  >
>

/** A connection with its secrets. */
export interface OpenConnection {
  id: string
  provider: IntegrationProvider
  label: string
  /** The address or account name it acts as. */
  account: string | null
  status: 'connected' | 'failed' | 'expired'
  /** What the user filled in, by field, secrets included. */
  values: Record<string, unknown>
}

export interface ConnectionHandle {
  id: string
  provider: IntegrationProvider
  label: string
  account: string | null
  status: 'connected' | 'failed' | 'expired'
  /** Whether the agent's owner has chosen it for this tool. */
  pinned: boolean
  /** The values that are no secrets. */
  metadata: Record<string, unknown>
  open(): Promise<OpenConnection>
  /** Records why the user has to repair it, if another one is used instead. */
  reject(error: ToolError): void
}

export interface StoredFile {
  id: string
  filename: string
  mediaType: string
  size: number
  bytes: Uint8Array<ArrayBuffer>
}

/** Named facts that the effect of a call depends on. */
export type Seen = Readonly<Record<string, unknown>>

export interface Change {
  what: string
  before: unknown
  now: unknown
}

export type Compare = (before: Seen, now: Seen) => Change[]

export interface Look {
  seen: Seen
  /** Arguments that the call leaves open and that are fixed from now on. */
  fixed?: Record<string, unknown>
}

/** Whether an effect whose answer was lost has happened. */
export type Verification = 'sent' | 'not_sent' | 'not_found' | 'unknown'

/** A model call of an action, which counts as usage of the run. */
export interface ToolModelUse {
  purpose: string
  provider: string
  model: string
  usage: { inputTokens: number; outputTokens: number }
  /** US dollars. */
  cost?: number
  durationMs: number
}

/** What a look gets besides the arguments. It changes nothing, and has 2 s. */
export interface LookContext {
  userId: string
  agentId?: string
  /** What the conversation belongs to in the app, as its client says. */
  scope?: string
  /** The user's own token; absent if the clock acts for them. */
  token?: string
  /** The program over MCP for which it is done, as Supabase's OAuth server knows it; then there is no token. */
  clientId?: string
  /** The first of `connections`, opened; absent for a tool without `providers`. */
  connection?: OpenConnection
  connections: readonly ConnectionHandle[]
  freePlaces?: { sites: string[]; addresses: string[] }
  /** Aborts when nobody waits for the answer any more. */
  signal: AbortSignal
}

export interface ActionContext extends LookContext {
  /** The same for all deliveries of one effect: pass it on to the provider. */
  idempotencyKey: string
  /** Undefined if the user has no file with this id. */
  readFile(fileId: string): Promise<StoredFile | undefined>
  usedModel(use: ToolModelUse): void
  /** Present if the approval relied on what `look` saw: call it right before the effect. Throws `Changed`. */
  requireUnchanged?(now: Seen): void
  /** Call it right before the effect: then only what the provider said still proves that nothing happened. */
  effectBegins(): void
  /** Records how the effect can be found later, before it happens. Throws if this delivery may no longer run. */
  note(value: unknown): Promise<void>
  earlierNote?: unknown
}

export interface VerifyContext extends LookContext {
  idempotencyKey: string
  /** What the write has recorded with `note`. */
  note: unknown
  effectStartedAt: Date
  amend(note: unknown): Promise<boolean>
}

export interface IntegrationAction<Arguments = never> {
  tool: CatalogueTool
  chooses?: true
  notesFirst?: true
  run(args: Arguments, context: ActionContext): Promise<unknown>
  look?(args: Arguments, context: LookContext): Promise<Pick<Look, 'seen' | 'fixed'> | undefined>
  compare?: Compare
  verify?(args: Arguments, context: VerifyContext): Promise<Verification>
}

export interface Implementation {
  actions: readonly IntegrationAction[]
  findAction?(name: string): Promise<IntegrationAction | undefined>
  /** By provider: signs in with the values of a connection, before they are stored. Throws like an action. */
  testConnection?: Readonly<
    Record<string, (values: Record<string, unknown>, signal: AbortSignal) => Promise<{ account?: string }>>
  >
}

/** Makes a tool from a zod schema (4) whose `.meta()` holds the questions. */
export declare function integrationTool(
  definition: Omit<ToolSpecification, 'parameters'> & { parameters: object; action: string },
): CatalogueTool

/** The JSON Schema of a zod schema (4), such as that of a provider's connection. */
export declare function toJsonSchema(schema: object): JsonSchema

/** Calls an HTTP API, within 25 s and without sending a body twice; throws whatever can be told from the answer. */
export declare function askJson(
  url: string | URL,
  request: { signal: AbortSignal; method?: string; headers?: Record<string, string>; json?: unknown },
): Promise<unknown>

export type Resolver = 'model' | 'time' | 'user' | 'nobody'

export type ToolErrorType =
  | 'missing_parameter'
  | 'invalid_type'
  | 'invalid_value'
  | 'unknown_parameter'
  | 'malformed_arguments'
  | 'tool_not_found'
  | 'not_found'
  | 'conflict'
  | 'rate_limit_exceeded'
  | 'timeout'
  | 'unavailable'
  | 'not_configured'
  | 'authentication_error'
  | 'permission_denied'
  | 'quota_exceeded'
  | 'outcome_unknown'
  | 'approval_denied'
  | 'cancelled'
  | 'execution_error'

export interface ToolErrorDetails {
  parameter?: string
  value?: unknown
  expected?: string
  actual?: string
  constraint?: string
  allowed?: unknown[]
  example?: unknown
  suggestion?: string
  hint?: string
}

export interface ToolError {
  ok: false
  error: string
  errorType: ToolErrorType
  resolver: Resolver
  retryAfterMs?: number
  details: ToolErrorDetails
}

/** A failure that you know: its sentence begins with `Question:` if the model or the user can resolve it. */
export declare function toolError(
  errorType: ToolErrorType,
  error: string,
  facts?: { resolver?: Resolver; retryAfterMs?: number; details?: ToolErrorDetails },
): ToolError

export declare class ToolCallError extends Error {
  constructor(error: ToolError, options?: { cause: unknown })
  readonly toolError: ToolError
}

/** Asks for another value before anything has happened: the model, or with `resolver: 'user'` the user. */
export declare class Question extends ToolCallError {
  constructor(
    question: string,
    about?: { parameter?: string; resolver?: 'model' | 'user'; choices?: readonly unknown[] },
  )
}

/** Thrown before the effect if what its approval relied on has changed: the user is asked again. */
export declare class Changed extends ToolCallError {
  constructor(changed: readonly Change[])
}

/** The handler of an integration's function, for `Deno.serve`. Throws an Error that names a missing variable. */
export declare function createIntegrationHandler(
  integration: Integration,
  createActions: (env: Environment) => Implementation,
  env: Environment,
): (request: Request) => Response | Promise<Response>
