import type { PendingItem } from '../supabase/functions/chat/answer/open-item.ts'
import type { ChatStack } from './chat-stack.ts'
import { type ChatUser, signUp, signUpWithMail, withDatabase } from './chat-user.ts'
import { decisionOn } from './decision.ts'
import { callTool, say } from './model-server.ts'

export interface Group {
  id: string
  name: string
}

/** The mail whose approval waits. */
export const waitingMail = { to: ['ada@example.com'], subject: 'Hi', body: 'Hello Ada' }

/** A group of the project with these members. */
export async function groupOf(stack: ChatStack['stack'], ...members: ChatUser[]): Promise<Group> {
  const name = `Finance ${crypto.randomUUID()}`
  return await withDatabase(stack, async (sql) => {
    const [group] = await sql`insert into askback.groups (name) values (${name}) returning id`
    for (const { id } of members)
      await sql`insert into askback.group_members (group_id, user_id) values (${group?.id}, ${id})`
    return { id: String(group?.id), name }
  })
}

/** Says who approves emails of every agent of the user. */
export const ruleFor = (
  stack: ChatStack['stack'],
  user: ChatUser,
  who: 'group' | 'both',
  group: Group,
): Promise<unknown> =>
  withDatabase(
    stack,
    (sql) => sql`
      insert into askback.tool_approvers (tool_name, agent_id, who, group_id)
      select 'smtp_send_email', id, ${who}, ${group.id} from askback.agents where user_id = ${user.id}
      on conflict (tool_name, agent_id) do update set who = excluded.who, group_id = excluded.group_id`,
  )

/** A user whose conversation `c` waits for the approval of an email: by whom it says, or by the user alone. */
export async function waitForApproval(chat: ChatStack, who?: 'group' | 'both') {
  await chat.stack.inbox.clear()
  const [user, member] = await Promise.all([signUpWithMail(chat.stack, 'always'), signUp(chat.stack)])
  const group = await groupOf(chat.stack, member)
  if (who) await ruleFor(chat.stack, user, who, group)
  // Whatever a run of an earlier test still asks.
  chat.model.use(({ body }) =>
    body.messages.at(-1)?.role === 'user' ? callTool('smtp_send_email', waitingMail) : say('Well.'),
  )
  const { answer } = await user.post({ id: 'c', message: 'Say hello to ada@example.com', messageId: 'm-1' })
  const [item] = (answer.pending ?? []) as PendingItem[]
  if (!item) throw new Error(`Nothing waits: ${JSON.stringify(answer)}`)
  return { user, member, group, item }
}

/** The user decides on the card. */
export const decideInChat = (user: ChatUser, item: PendingItem, decision: 'approve' | 'deny' = 'approve') =>
  user.post(decisionOn(item, decision), { path: '/c/approval' })

/** One of the group decides. `url`: of the chat function. */
export const decideInGroup = (
  stack: ChatStack['stack'],
  { token }: ChatUser,
  { itemId }: PendingItem,
  decision: 'approve' | 'deny' = 'approve',
  url = `${stack.url}/functions/v1/chat`,
): Promise<Response> =>
  fetch(`${url}/open/approvals/${encodeURIComponent(itemId)}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ decision }),
  })
