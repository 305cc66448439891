import { readKeys } from '../local/data-directory/keys.ts'
import { type examples, keyOf, type Seen } from '../scripts/api/examples.ts'
import type { Route } from '../shared/api/route.ts'
import { unsubscribeToken } from '../supabase/functions/chat/bell/unsubscribe-token.ts'
import type { ChatStack } from './chat-stack.ts'
import { type ChatUser, signUp, signUpWithMail, withDatabase } from './chat-user.ts'
import { callTool, say } from './model-server.ts'
import { echo, startRemoteMcp } from './remote-mcp.ts'

type Example = (typeof examples)[number]

/** The examples of docs/api.md on a stack, to be played in their order. */
export interface PlayedExamples {
  /** What was answered so far, as the examples refer to it. */
  seen: Seen
  user: ChatUser
  /** Somebody for whom one of the user's group approves. */
  colleague: ChatUser
  /** Sends the request of an example, and remembers the answer. */
  play(example: Example): Promise<{ path: string; status: number; json: unknown }>
  stop(): Promise<void>
}

/** The settings with which the examples can be played. */
export const examplesSettings = { GOOGLE_CLIENT_ID: 'client', GOOGLE_CLIENT_SECRET: 'secret' }

const mail = (to: string[]) => callTool('smtp_send_email', { to, subject: 'Oslo', body: 'We arrive at ten.' })

/** Signs a user up and prepares what the examples name. `headers`: of every request that an example makes. */
export async function openExamples(
  chat: ChatStack,
  headers: Record<string, string> = {},
): Promise<PlayedExamples> {
  const user = await signUp(chat.stack)
  const { host, port, user: account, password } = chat.stack.smtp
  const issues = [
    {
      ...echo,
      name: 'list_issues',
      description: 'Lists issues.',
      annotations: { title: 'List issues', readOnlyHint: true },
    },
    { ...echo, name: 'create_issue', title: 'Create issue', description: 'Creates an issue.' },
  ]
  const remote = await startRemoteMcp({ title: 'Linear', tools: issues })
  const seen: Seen = {
    smtp: { host, port, user: account, password },
    email: user.email,
    mcp: remote.url,
  }
  await withDatabase(chat.stack, async (sql) => {
    await sql`insert into askback.operators (user_id) values (${user.id})`
    await sql.unsafe(
      `create or replace function public.find_orders(customer text) returns text language sql stable as 'select customer';
       comment on function public.find_orders(text) is 'Finds the orders of a customer.';
       grant execute on function public.find_orders(text) to authenticated;`,
    )
  })
  const openItem = async (id: string, message: string, whose = user) => {
    const { answer } = await whose.post({ id, message })
    const [item] = answer.pending ?? []
    if (!item) throw new Error(`Nothing waits: ${JSON.stringify(answer)}`)
    return { conversationId: id, itemId: item.itemId }
  }
  // Before anything is connected: its card waits.
  chat.model.use([callTool('web_search', { query: 'Oslo' }), say('Please connect a search.')])
  seen.waiting = await openItem('waiting', 'Search for Oslo')

  const colleague = await signUpWithMail(chat.stack, 'always')
  await withDatabase(chat.stack, async (sql) => {
    const [group] = await sql`
      insert into askback.groups (name) values ('Finance') on conflict (name) do update set name = excluded.name
      returning id`
    await sql`insert into askback.group_members (group_id, user_id) values (${group?.id}, ${user.id})`
    await sql`
      insert into askback.tool_approvers (tool_name, agent_id, who, group_id)
      select 'smtp_send_email', id, 'group', ${group?.id} from askback.agents where user_id = ${colleague.id}`
  })
  chat.model.use([mail(['bob@example.com'])])
  seen.asked = await openItem('asked', 'Tell bob@example.com that we arrive at ten.', colleague)

  /** Whether the project sends mails about what waits. */
  const setDestination = (sends: boolean) =>
    withDatabase(chat.stack, async (sql) => {
      await sql`delete from askback.on_open`
      if (sends)
        await sql`
          insert into askback.on_open (url, secret, digests) values ('https://app.example.com/mail', 'a secret', true)`
    })

  /** What stands there before an example is played. */
  const before: Record<string, () => Promise<void>> = {
    'POST /chat': async () => chat.model.use([mail(['bob@example.com'])]),
    'POST /chat/:id/approval': async () => chat.model.use([say('Bob knows.')]),
    'POST /chat/:id/answer': async () => {
      chat.model.use([mail(['nobody@example.org']), say('To whom?')])
      seen.question = await openItem('question', 'Send them a mail')
      chat.model.use([say('Sent.')])
    },
    'POST /chat/:id/skip': async () => {
      chat.model.use([mail(['nobody@example.org']), say('To whom?')])
      seen.other = await openItem('other', 'Send them another mail')
      chat.model.use([say('I leave it.')])
    },
    'POST /chat/open/linked': async () => {
      chat.model.use([mail(['cleo@example.com']), say('Cleo knows.')])
      const { itemId } = await openItem('deciding', 'Tell cleo@example.com that we arrive at ten.')
      const { body } = await user.send('POST', `/open/${itemId}/link`, { decides: true, name: 'Cleo Lind' })
      seen.deciding = (body as { link: object }).link
    },
    'POST /chat/open/approvals/:itemId': async () => chat.model.use([say('It was not approved.')]),
    'POST /chat/schedules/:id/run': async () => chat.model.use([say('Nothing is new.')]),
    // What it still asks would be taken from the next script.
    'PATCH /chat/schedules/:id': async () => {
      const { conversationId } = seen['POST /chat/schedules'].schedule
      const stream = await fetch(`${chat.stack.url}/functions/v1/chat/${conversationId}/stream`, {
        headers: { authorization: `Bearer ${user.token}` },
      })
      await stream.text()
    },
    'PATCH /chat/digest': () => setDestination(true),
    'POST /chat/digest/unsubscribe': async () => {
      await setDestination(false)
      const { functionSecret } = readKeys(chat.stack.dataDirectory)
      seen.unsubscribe = await unsubscribeToken(functionSecret, user.id)
    },
    'POST /integration-settings/servers/:id/refresh': async () => {
      const [list, create] = issues
      if (list && create) remote.tools = [list, { ...create, description: 'Creates an issue in any team.' }]
    },
    'POST /chat/:id/resume': async () => chat.model.use([say('Please connect a search.')]),
  }
  return {
    seen,
    user,
    stop: remote.close,
    colleague,
    async play([route, request]) {
      const key = keyOf(route)
      await before[key]?.()
      const { params = {}, query = {}, headers: own = {}, body } = request(seen)
      const path = fill(route, params)
      const response = await fetch(`${chat.stack.url}/functions/v1${path}?${new URLSearchParams(query)}`, {
        method: route.method,
        headers: {
          authorization: `Bearer ${user.token}`,
          'content-type': 'application/json',
          ...headers,
          ...own,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const json = await response.json()
      seen[key] = json
      return { path, status: response.status, json }
    },
  }
}

function fill({ path }: Route, params: Record<string, string>): string {
  return path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(String(params[name])))
}
