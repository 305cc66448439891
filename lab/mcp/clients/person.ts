import { giveAgent, withDatabase } from '../../../support/chat-user.ts'
import { request } from '../../../support/equipped-user.ts'
import { makeToken } from '../../../support/mcp-process.ts'
import { pendingOf } from '../../../support/mcp-program.ts'
import { agreeAt, signUpAtApp } from '../../../support/oauth-client.ts'
import type { TestStack } from '../../../support/stack.ts'

const grants = '/integration-settings/mcp-grants'

/** Who uses a client: somebody with a mail account, which the demo gives everybody, and an agent that asks before it writes. */
export type Person = Awaited<ReturnType<typeof makePerson>>

export async function makePerson(stack: TestStack) {
  const { user, auth } = await signUpAtApp(stack)
  const agentId = await giveAgent(stack, user.id, 'always')
  let grantId = ''
  return {
    /** Opens the page of a sign-in, grants the client every tool, and agrees. */
    async consent(page: string): Promise<string> {
      const { json } = await request(stack, user, 'GET', grants)
      const tools = json.agents[0].tools.map(({ name }: { name: string }) => name)
      const clientId = new URL(page).searchParams.get('client_id')
      const grant = { clientId, clientName: 'A client', agentId, tools: [...tools, 'ask_agent'] }
      const made = await request(stack, user, 'POST', grants, grant)
      grantId = made.json.grant.id
      return await agreeAt(page, auth)
    },
    /** Lets the client show approvals itself, or no longer. */
    async letShowApprovals(forms: boolean): Promise<void> {
      await request(stack, user, 'PATCH', `${grants}/${grantId}`, { forms })
    },
    makeToken: async () => (await makeToken(stack, user)).value,
    /** Says yes on the page of an approval. */
    async approveAt(href: string): Promise<void> {
      const response = await fetch(`${stack.url}/functions/v1/chat/open/linked`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${user.token}`,
          'content-type': 'application/json',
          'x-askback-link': new URL(href).hash.slice(1),
        },
        body: JSON.stringify({ decision: 'approve' }),
      })
      if (!response.ok) throw new Error(`The yes is refused: ${await response.text()}`)
    },
    pending: () => pendingOf(user),
    /** Whether the results of all that was done have reached a client, as far as we know. */
    async wasTold(): Promise<boolean> {
      const [row] = await withDatabase(
        stack,
        (sql) => sql`
          select bool_and(c.told_at is not null) as told from askback.client_calls c
          join askback.tool_executions e using (user_id, conversation_id)
          where c.user_id = ${user.id} and e.effect = 'write' and e.status = 'succeeded'`,
      )
      return row?.told === true
    },
  }
}
