import { StreamableHTTPClientTransport } from './sdk.ts'

/**
 * The SDK's transport, which else says nothing of a stream that ends without its answer: the request would wait for its
 * time-out. Here an error answers it, which comes too late where there was an answer.
 */
export class WatchedTransport extends StreamableHTTPClientTransport {
  override async send(
    ...[message, options]: Parameters<StreamableHTTPClientTransport['send']>
  ): Promise<void> {
    if (Array.isArray(message) || !('method' in message) || !('id' in message)) {
      return await super.send(message, options)
    }
    const { id } = message
    const error = { code: brokenOff, message: 'The answer broke off.' }
    const onRequestStreamEnd = () => this.onmessage?.({ jsonrpc: '2.0', id, error })
    await super.send(message, { ...options, onRequestStreamEnd })
  }
}

/** Of JSON-RPC: one that servers may use for anything. */
const brokenOff = -32_000
