import type { JSONRPCMessage } from '../supabase/functions/mcp/protocol/sdk.ts'

/** A message of JSON-RPC, whatever it is. */
// biome-ignore lint/suspicious/noExplicitAny: tests look at members of any message
export type Message = any

interface Sent {
  url: string
  token?: string | undefined
  headers?: Record<string, string>
  /** As it calls itself. */
  client?: string
  signal?: AbortSignal
}

/** Sends one message, as a client does that knows nothing but the wire. */
export async function post({ url, token, headers = {}, signal }: Sent, message: object): Promise<Response> {
  return await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    ...(signal && { signal }),
  })
}

/** A request of the revision 2026-07-28, which says everything about its client itself. */
export async function ask(
  { url, token, headers = {}, client = 'A client', signal }: Sent,
  method: string,
  params: Record<string, unknown> = {},
  clientCapabilities: object = { elicitation: { form: {} }, sampling: {} },
): Promise<Message> {
  const prefix = 'io.modelcontextprotocol/'
  const _meta = {
    [`${prefix}protocolVersion`]: '2026-07-28',
    [`${prefix}clientInfo`]: { name: client, version: '1' },
    [`${prefix}clientCapabilities`]: clientCapabilities,
  }
  const more = {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    ...(typeof params.name === 'string' ? { 'mcp-name': params.name } : {}),
  }
  const response = await post(
    { url, token, headers: { ...more, ...headers }, ...(signal && { signal }) },
    { id: 1, method, params: { ...params, _meta } },
  )
  return await last(response)
}

/** The messages of a response, as they come. */
export async function* messagesOf(response: Response): AsyncGenerator<Message> {
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) {
    yield (await response.json()) as JSONRPCMessage
    return
  }
  let text = ''
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const events = (text + chunk).split('\n\n')
    text = events.pop() ?? ''
    for (const event of events) {
      const [, data] = /^data: (.+)$/m.exec(event) ?? []
      if (data !== undefined) yield JSON.parse(data)
    }
  }
}

export async function last(response: Response): Promise<Message> {
  let message: Message
  for await (const next of messagesOf(response)) message = next
  return message
}
