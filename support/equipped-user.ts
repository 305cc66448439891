import { randomUUID } from 'node:crypto'
import type { PendingItem } from '../supabase/functions/chat/answer/open-item.ts'
import { checkAnswer } from './api-answers.ts'
import type { ChatStack } from './chat-stack.ts'
import { type ChatUser, signUpWithMail, withDatabase } from './chat-user.ts'
import { decisionOn } from './decision.ts'
import { callTool, say } from './model-server.ts'
import { otherApp } from './other-app.ts'
import type { TestStack } from './stack.ts'

export const mail = { to: ['ada@example.com'], subject: 'Hi', body: 'Hello Ada' }

/** A user with something of everything: an approval that waits in `c`, a file, a connection, an API token. */
export async function equipUser(
  chat: ChatStack,
  /** Who makes the token, where that takes more than a session. */
  prove: (user: ChatUser) => Promise<{ token: string }> = async (user) => user,
) {
  const user = await signUpWithMail(chat.stack, 'always')
  await withDatabase(chat.stack, (sql) => sql`insert into askback.operators (user_id) values (${user.id})`)
  chat.model.use([callTool('smtp_send_email', mail), ...Array(9).fill(say('Sent.'))])
  const { answer } = await user.post({ id: 'c', message: 'Say hello to ada@example.com' })
  const [item] = (answer.pending ?? []) as PendingItem[]
  if (!item) throw new Error(`Nothing waits for an approval: ${JSON.stringify(answer)}`)
  const made = await request(chat.stack, await prove(user), 'POST', '/integration-settings/tokens', {
    name: 'Mine',
  })
  const [{ id: agentId } = { id: '' }] = await withDatabase(
    chat.stack,
    (sql) => sql`select id from askback.agents where user_id = ${user.id}`,
  )
  await request(chat.stack, await prove(user), 'POST', '/integration-settings/mcp-grants', grantOf(agentId))
  const stored = await fetch(`${chat.stack.url}/functions/v1/chat/files?name=a.txt`, {
    method: 'POST',
    headers: { authorization: `Bearer ${user.token}`, 'content-type': 'text/plain' },
    body: 'Some words.',
  })
  const { file } = (await stored.json()) as { file: { url: string } }
  const server = randomUUID()
  await withDatabase(chat.stack, async (sql) => {
    await sql`
      insert into askback.mcp_servers (id, user_id, name, url, status)
      values (${server}, ${user.id}, 'away', 'https://mcp.example.invalid/', 'unreachable')`
    await sql`
      insert into askback.mcp_tools (server_id, user_id, foreign_name, name, proposed, change, position)
      values (${server}, ${user.id}, 'echo', 'away__echo', ${sql.json(proposed)}, 'new', 1)`
  })
  const idIn = (table: string) =>
    withDatabase(chat.stack, async (sql) => {
      const [row] = await sql`select id from askback.${sql(table)} where user_id = ${user.id}`
      return String(row?.id)
    })
  return {
    user,
    item,
    fileUrl: file.url,
    apiToken: made.json.token.value as string,
    ids: {
      connection: await idIn('connections'),
      agent: await idIn('agents'),
      run: await idIn('runs'),
      token: made.json.token.id as string,
      grant: await idIn('mcp_grants'),
      server,
    },
  }
}

/** What a server says of its tool. */
const proposed = {
  name: 'away__echo',
  foreignName: 'echo',
  title: 'Echo',
  description: 'Says it again.',
  inputSchema: { type: 'object' as const },
  annotations: {},
}

/** What an app may do with an agent, as its user says it. */
const grantOf = (agentId: string) => ({
  clientId: otherApp,
  clientName: 'An editor',
  redirectHost: 'localhost',
  agentId,
  tools: ['web_search', 'smtp_send_email'],
})
export type Equipped = Awaited<ReturnType<typeof equipUser>>

/** A request with this token to a path of the functions. `code`: of a refusal, in whatever form. */
export async function request(
  stack: TestStack,
  user: { token: string },
  method: string,
  path: string,
  body?: unknown,
) {
  const response = await fetch(`${stack.url}/functions/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${user.token}`, 'content-type': 'application/json' },
    redirect: 'manual',
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  const json = response.headers.get('content-type')?.startsWith('application/json')
    ? JSON.parse(text)
    : undefined
  checkAnswer({ method, path }, { status: response.status, json })
  return {
    status: response.status,
    json,
    code: (response.headers.get('x-askback-error') ?? json?.error?.code) as string | undefined,
  }
}

/** A valid request to each route: without its account, each of them would do or tell something. */
export function requestsOf({
  item,
  ids,
  fileUrl,
}: Equipped): Record<string, { path?: string; body?: unknown }> {
  const reason = 'A reason.'
  const skipped = { itemId: item.itemId }
  return {
    'POST /chat': { body: { id: randomUUID(), message: 'Hello' } },
    'GET /chat/:id/stream': { path: '/chat/c/stream' },
    'POST /chat/:id/stop': { path: '/chat/c/stop' },
    'GET /chat/models': {},
    'GET /chat/tools': {},
    'POST /chat/files': { path: '/chat/files?name=b.txt', body: 'Other words.' },
    'GET /chat/files/:id': {
      path: new URL(fileUrl).pathname.replace('/functions/v1', '') + new URL(fileUrl).search,
    },
    'GET /chat/open': {},
    'POST /chat/:id/answer': { path: '/chat/c/answer', body: { ...skipped, values: {} } },
    'POST /chat/:id/approval': { path: '/chat/c/approval', body: decisionOn(item, 'approve') },
    'POST /chat/:id/skip': { path: '/chat/c/skip', body: skipped },
    'POST /chat/:id/resume': { path: '/chat/c/resume', body: {} },
    'POST /chat/open/:itemId/link': { path: `/chat/open/${item.itemId}/link`, body: {} },
    'GET /chat/open/links': {},
    'DELETE /chat/open/links/:id': { path: `/chat/open/links/${randomUUID()}` },
    'GET /chat/open/approvals': {},
    'GET /chat/open/approvals/:itemId': { path: `/chat/open/approvals/${item.itemId}` },
    'POST /chat/open/approvals/:itemId': {
      path: `/chat/open/approvals/${item.itemId}`,
      body: { decision: 'approve' },
    },
    'GET /chat/permissions': {},
    'POST /chat/permissions': {
      body: { agentId: ids.agent, toolName: 'smtp_send_email', pattern: 'ada@example.com' },
    },
    'DELETE /chat/permissions/:id': { path: `/chat/permissions/${randomUUID()}` },
    'GET /chat/unasked-tools': {},
    'DELETE /chat/unasked-tools/:agentId/:toolName': {
      path: `/chat/unasked-tools/${ids.agent}/smtp_send_email`,
    },
    'GET /chat/schedules': {},
    'POST /chat/schedules': {
      body: { agentId: ids.agent, message: 'Hello', cron: '0 9 * * *', timeZone: 'UTC' },
    },
    'PATCH /chat/schedules/:id': { path: `/chat/schedules/${randomUUID()}`, body: { paused: true } },
    'DELETE /chat/schedules/:id': { path: `/chat/schedules/${randomUUID()}` },
    'POST /chat/schedules/:id/run': { path: `/chat/schedules/${randomUUID()}/run` },
    'GET /chat/digest': {},
    'PATCH /chat/digest': { body: { minutes: 5 } },
    'GET /chat/conversations': {},
    'GET /chat/conversations/:id': { path: '/chat/conversations/c' },
    'PATCH /chat/conversations/:id': { path: '/chat/conversations/c', body: { title: 'Other' } },
    'PUT /chat/conversations/:id/feedback': {
      path: '/chat/conversations/c/feedback',
      body: { messageId: item.messageId, rating: 'good' },
    },
    'DELETE /chat/conversations/:id': { path: '/chat/conversations/c' },
    'GET /integration-settings': {},
    'POST /integration-settings/connections': {
      path: '/integration-settings/connections?test=false',
      body: { provider: 'serper', label: 'Search', values: { apiKey: 'a'.repeat(40) } },
    },
    'PATCH /integration-settings/connections/:id': {
      path: `/integration-settings/connections/${ids.connection}?test=false`,
      body: { label: 'Other' },
    },
    'DELETE /integration-settings/connections/:id': {
      path: `/integration-settings/connections/${ids.connection}`,
    },
    'POST /integration-settings/connections/:id/test': {
      path: `/integration-settings/connections/${ids.connection}/test`,
    },
    'POST /integration-settings/oauth/start': { body: { provider: 'gmail' } },
    'POST /integration-settings/oauth/complete': { body: { code: 'a'.repeat(43) } },
    'GET /integration-settings/tokens': {},
    'POST /integration-settings/tokens': { body: { name: 'Another' } },
    'DELETE /integration-settings/tokens': {},
    'DELETE /integration-settings/tokens/:id': { path: `/integration-settings/tokens/${ids.token}` },
    'GET /integration-settings/mcp-grants': {},
    'POST /integration-settings/mcp-grants': { body: grantOf(ids.agent) },
    'PATCH /integration-settings/mcp-grants/:id': {
      path: `/integration-settings/mcp-grants/${ids.grant}`,
      body: { forms: true },
    },
    'DELETE /integration-settings/mcp-grants/:id': {
      path: `/integration-settings/mcp-grants/${ids.grant}`,
    },
    'GET /integration-settings/servers': {},
    'POST /integration-settings/servers': { body: { url: 'https://mcp.example.invalid/other' } },
    'PATCH /integration-settings/servers/:id': {
      path: `/integration-settings/servers/${ids.server}`,
      body: { trusted: true },
    },
    'POST /integration-settings/servers/:id/refresh': {
      path: `/integration-settings/servers/${ids.server}/refresh`,
    },
    'GET /integration-settings/servers/:id/changes': {
      path: `/integration-settings/servers/${ids.server}/changes`,
    },
    'POST /integration-settings/servers/:id/accept': {
      path: `/integration-settings/servers/${ids.server}/accept`,
      body: { tools: ['away__echo'] },
    },
    'DELETE /integration-settings/servers/:id': {
      path: `/integration-settings/servers/${ids.server}`,
    },
    'DELETE /integration-settings/account': { body: { email: 'nobody@example.com' } },
    'GET /chat/operator': {},
    'GET /chat/operator/runs': { path: `/chat/operator/runs?find=${ids.run}` },
    'GET /chat/operator/runs/:id': { path: `/chat/operator/runs/${ids.run}` },
    'POST /chat/operator/runs/:id/stop': { path: `/chat/operator/runs/${ids.run}/stop`, body: { reason } },
    'GET /chat/operator/stuck': {},
    'GET /chat/operator/insights': {},
    'GET /chat/operator/decisions': { path: '/chat/operator/decisions?since=2026-01-01T00:00:00Z' },
    'GET /chat/operator/tools': {},
    'PATCH /chat/operator/tools/:name': {
      path: '/chat/operator/tools/web_search',
      body: { enabled: true, reason },
    },
    'GET /chat/operator/limits': {},
    'PUT /chat/operator/limits': {
      body: { scope: 'project', measure: 'model_calls', per: 'day', value: 1_000_000, reason },
    },
    'GET /chat/operator/functions': {},
    'PUT /chat/operator/functions/:name': { path: '/chat/operator/functions/none', body: {} },
    'DELETE /chat/operator/functions/:name': { path: '/chat/operator/functions/none' },
  }
}
