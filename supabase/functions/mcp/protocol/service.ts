import type { Json } from '../../../../shared/server/database/rpcs.ts'
import type { Caller } from './caller.ts'
import type {
  CallToolResult,
  ClientCapabilities,
  Implementation,
  InputRequest,
  InputResponseView,
  LoggingLevel,
  RequestTypeMap,
  ResultTypeMap,
  ServerCapabilities,
} from './sdk.ts'

/** What stands behind the transport: it knows neither revisions nor streams, nor how a client is asked. */
export interface Service {
  about: Implementation
  /** For the client's model. */
  instructions?: string
  capabilities: ServerCapabilities
  methods: Methods
  /**
   * The result of a call whose client gave no answer to what it was asked, or that has not ended by the end of its stream.
   * What goes on behind it goes on.
   */
  unfinished(call: ToolCall, exchange: Exchange): CallToolResult | Promise<CallToolResult>
}

export type ServedMethod =
  | 'tools/list'
  | 'tools/call'
  | 'prompts/list'
  | 'prompts/get'
  | 'resources/list'
  | 'resources/templates/list'
  | 'resources/read'
  | 'resources/subscribe'
  | 'resources/unsubscribe'
  | 'completion/complete'
/** Those whose caller may be asked something first. */
type AskingMethod = 'tools/call' | 'prompts/get' | 'resources/read'

/** A ProtocolError is the client's to read; whatever else is thrown is logged, and said to nobody. */
export type Methods = {
  readonly [Method in ServedMethod]?: (
    params: ParamsOf<Method>,
    exchange: Exchange,
  ) => Promise<ResultTypeMap[Method] | (Method extends AskingMethod ? Asking : never)>
}
export type ParamsOf<Method extends ServedMethod> = NonNullable<RequestTypeMap[Method]['params']>
export type ToolCall = ParamsOf<'tools/call'>

/** Instead of a result: what the client has to answer first. The same request comes again then, with the answers. */
export interface Asking {
  /** By names of the service's own. Only what the client's capabilities declare. */
  ask: Readonly<Record<string, InputRequest>>
  /** Comes back as it is, with the same request of the same user through the same grant, and with no other. */
  state?: Json
}

/** An answer of the client, whatever it is worth. */
export type Answer = Exclude<InputResponseView, { kind: 'missing' }>

/** One request, and what is known of it beside its params. */
export interface Exchange {
  caller: Caller
  client: { about: Implementation | undefined; capabilities: ClientCapabilities }
  /** What the client answers to `ask`; undefined if it was not asked. */
  answers: Readonly<Record<string, Answer>> | undefined
  /** The `state` of that. */
  state: unknown
  /** Aborts when nobody listens any more. */
  signal: AbortSignal
  /** Milliseconds since 1970: by then there has to be a result. */
  endsAt: number
  /** Does nothing if the client has not asked for it. */
  tellProgress(progress: number, total?: number, message?: string): Promise<void>
  log(level: LoggingLevel, data: unknown): Promise<void>
}
