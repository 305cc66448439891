// @ts-nocheck This folder's packages are those of lab/mcp.
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client'
import { makeSignIn, serve } from './serve.ts'

/** `legacy`, or the revision that it insists on. */
const [mode] = process.argv.slice(2)
const about = { name: 'sdk-2', version: '2' }
const versionNegotiation = { mode: mode === 'legacy' ? mode : { pin: mode } }

serve({
  async signIn(url, consent) {
    const { provider, kept } = makeSignIn(about.name)
    const open = () => new StreamableHTTPClientTransport(new URL(url), { authProvider: provider })
    const transport = open()
    await new Client(about, { versionNegotiation }).connect(transport).catch((error) => {
      if (!(error instanceof UnauthorizedError)) throw error
    })
    await transport.finishAuth(new URL(await consent(kept.page)).searchParams)
    const client = new Client(about, { versionNegotiation })
    await client.connect(open())
    await client.close()
    return kept.tokens.access_token
  },
  async connect({ url, token, asks }, { onAsked, onError }) {
    const elicitation = Object.fromEntries(asks.map((way) => [way, {}]))
    const capabilities = asks.length > 0 ? { elicitation } : {}
    const client = new Client(about, { capabilities, versionNegotiation })
    client.onerror = onError
    if (asks.length > 0) {
      client.setRequestHandler('elicitation/create', ({ params }) => onAsked({ mode: 'form', ...params }))
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
