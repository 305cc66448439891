import type { Caller } from '../protocol/caller.ts'
import {
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type JSONRPCRequest,
  PerRequestHTTPServerTransport,
  type TransportSendOptions,
} from '../protocol/sdk.ts'
import type { PushedRequests } from './pushed-requests.ts'
import type { Initialized } from './session.ts'

const era = { era: 'legacy' } as const

/**
 * One request of a session, with a server of its own: it is told first what the session began with. What the server asks
 * the client goes out on the stream of that request, and its answer comes from the database.
 */
export class PushingTransport extends PerRequestHTTPServerTransport {
  private readonly pushed: PushedRequests
  private readonly caller: Caller
  private readonly gone = new AbortController()
  /** Ids that clients see, by those of the server. */
  private readonly ids = new Map<unknown, string>()
  /** What is asked about next. */
  itemId: string | undefined
  private begun: { id: string; resolve: () => void } | undefined

  constructor(pushed: PushedRequests, caller: Caller) {
    super({ classification: era })
    this.pushed = pushed
    this.caller = caller
  }

  /** Call it once, with the server connected. */
  async begin(params: Initialized): Promise<void> {
    const id = crypto.randomUUID()
    const begun = new Promise<void>((resolve) => {
      this.begun = { id, resolve }
    })
    this.onmessage?.({ jsonrpc: '2.0', id, method: 'initialize', params }, { classification: era })
    await begun
  }

  override async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if (isJSONRPCRequest(message)) return await this.push(message, options)
    if (isJSONRPCResultResponse(message) && message.id === this.begun?.id) return this.begun.resolve()
    await super.send(this.withKnownId(message), options)
  }

  override async close(): Promise<void> {
    this.gone.abort()
    await super.close()
  }

  private async push(request: JSONRPCRequest, options?: TransportSendOptions): Promise<void> {
    const id = await this.pushed.open(this.caller, this.itemId)
    this.ids.set(request.id, id)
    await super.send({ ...request, id }, options)
    void this.follow(id, request.id)
  }

  /** A database that does not answer is a client that does not. */
  private async follow(id: string, own: JSONRPCRequest['id']): Promise<void> {
    const answer = await this.pushed.follow(this.caller, id, this.gone.signal).catch(() => undefined)
    if (answer) this.onmessage?.({ jsonrpc: '2.0', id: own, ...answer } as JSONRPCMessage)
  }

  /** The client knows a request that is taken back by its other id. */
  private withKnownId(message: JSONRPCMessage): JSONRPCMessage {
    if (!('method' in message) || message.method !== 'notifications/cancelled') return message
    const { requestId } = (message.params ?? {}) as { requestId?: unknown }
    return { ...message, params: { ...message.params, requestId: this.ids.get(requestId) } } as JSONRPCMessage
  }
}
