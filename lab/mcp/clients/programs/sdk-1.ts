// @ts-nocheck This folder's packages are those of lab/mcp.
import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { makeSignIn, serve } from './serve.ts'

const about = { name: 'sdk-1', version: '1' }

serve({
  async signIn(url, consent) {
    const { provider, kept } = makeSignIn(about.name)
    const open = () => new StreamableHTTPClientTransport(new URL(url), { authProvider: provider })
    const transport = open()
    await new Client(about).connect(transport).catch((error) => {
      if (!(error instanceof UnauthorizedError)) throw error
    })
    await transport.finishAuth(new URL(await consent(kept.page)).searchParams.get('code'))
    const client = new Client(about)
    await client.connect(open())
    await client.close()
    return kept.tokens.access_token
  },
  async connect({ url, token, asks }, { onAsked, onError }) {
    const elicitation = Object.fromEntries(asks.map((mode) => [mode, {}]))
    const client = new Client(about, { capabilities: asks.length > 0 ? { elicitation } : {} })
    client.onerror = onError
    if (asks.length > 0) {
      client.setRequestHandler(ElicitRequestSchema, ({ params }) => onAsked({ mode: 'form', ...params }))
    }
    const headers = { authorization: `Bearer ${token}` }
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }))
    return {
      tools: async () => (await client.listTools()).tools,
      call: (name, args) => client.callTool({ name, arguments: args }),
      close: () => client.close(),
    }
  },
})
