import { expect, it, vi } from 'vitest'
import { startChatStack } from '../../support/chat-stack.ts'
import { withDatabase } from '../../support/chat-user.ts'
import { request } from '../../support/equipped-user.ts'
import { callTool, say } from '../../support/model-server.ts'
import { agreeAt, signUpAtApp } from '../../support/oauth-client.ts'
import { useStarted } from '../../support/use-started.ts'

const chat = useStarted(() => startChatStack())

it('a call that waits for a sign-in with its server goes on once the user is back', async () => {
  const { user, auth } = await signUpAtApp(chat.stack)
  const send = async (method: string, path: string, body?: object) =>
    (await request(chat.stack, user, method, `/integration-settings/${path}`, body)).json
  // The function `mcp` of this project, as anybody's.
  const { server } = await send('POST', 'servers', {
    url: `${chat.stack.url}/functions/v1/mcp`,
    name: 'own',
  })
  const signIn = async () => {
    const page = await send('POST', 'oauth/start', { server: server.id })
    const { agents } = await send('GET', 'mcp-grants')
    await send('POST', 'mcp-grants', {
      clientId: new URL(page.url).searchParams.get('client_id'),
      clientName: 'Askback',
      agentId: agents[0].id,
      tools: ['scrape_and_summarize'],
    })
    const back = await fetch(await agreeAt(page.url, auth), { redirect: 'manual' })
    const code = new URL(back.headers.get('location') ?? '').searchParams.get('code')
    return await send('POST', 'oauth/complete', { code })
  }
  expect((await signIn()).server).toMatchObject({
    status: 'ready',
    tools: [{ name: 'own__scrape_and_summarize' }],
  })
  await send('PATCH', `servers/${server.id}`, { trusted: true })
  await withDatabase(chat.stack, (sql) => sql`delete from askback.server_grants where user_id = ${user.id}`)

  const url = 'https://10.0.0.1/'
  chat.model.use([callTool('own__scrape_and_summarize', { urls: [url] }), say('Please sign in.')])
  const { answer } = await user.post({ message: `Read ${url}` })
  expect(answer).toMatchObject({
    status: 'needs_connection',
    pending: [{ href: expect.stringContaining(`server=${server.id}`) }],
  })
  expect((await signIn()).server).toMatchObject({ status: 'ready' })
  await vi.waitFor(async () => {
    const page = await request(chat.stack, user, 'GET', `/chat/conversations/${answer.conversationId}`)
    // The call was made: its server asks back.
    expect(page.json.pending).toMatchObject([{ code: 'server_asks', toolName: 'own__scrape_and_summarize' }])
  }, 20_000)
})
