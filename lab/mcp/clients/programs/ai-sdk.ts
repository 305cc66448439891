// @ts-nocheck This folder's packages are those of lab/mcp.
import { auth, createMCPClient, ElicitationRequestSchema } from '@ai-sdk/mcp'
import { makeSignIn, serve } from './serve.ts'

const name = 'ai-sdk'

serve({
  async signIn(url, consent) {
    const { provider, kept } = makeSignIn(name)
    const open = () => createMCPClient({ name, transport: { type: 'http', url, authProvider: provider } })
    await open().catch(() => {})
    const callback = new URL(await consent(kept.page))
    await auth(provider, { serverUrl: url, authorizationCode: callback.searchParams.get('code') })
    await (await open()).close()
    return kept.tokens.access_token
  },
  async connect({ url, token, asks }, { onAsked, onError }) {
    const client = await createMCPClient({
      name,
      transport: { type: 'http', url, headers: { authorization: `Bearer ${token}` } },
      onUncaughtError: onError,
      capabilities: asks.length > 0 ? { elicitation: {} } : {},
    })
    if (asks.length > 0) {
      client.onElicitationRequest(ElicitationRequestSchema, ({ params }) =>
        onAsked({ mode: 'form', ...params }),
      )
    }
    const tools = await client.tools()
    return {
      tools: async () => Object.entries(tools).map(([tool, { title }]) => ({ name: tool, title })),
      call: (tool, args) => tools[tool].execute(args, { toolCallId: 'call', messages: [] }),
      close: () => client.close(),
    }
  },
})
