import { connectSmtp, giveAgent } from './chat-user.ts'
import { request } from './equipped-user.ts'
import { ask, type Message } from './mcp-client.ts'
import { OAuthClient, readJson, signUpAtApp } from './oauth-client.ts'
import type { TestStack } from './stack.ts'

const path = '/integration-settings/mcp-grants'

/** A program over MCP that a new user has granted the tools of their agent, as a test drives it. */
export interface GrantedProgram {
  user: Awaited<ReturnType<typeof signUpAtApp>>['user']
  /** Its token of the OAuth server. */
  token: string
  clientId: string
  grantId: string
  agentId: string
  /** Changes the grant. */
  change(change: object): Promise<void>
  revoke(): Promise<void>
  call(name: string, args?: object, capabilities?: object, more?: object): Promise<Message>
}

/** `grant`: what it may do besides; writes of the agent ask as `approval` says. */
export async function startGrantedProgram(
  stack: TestStack,
  {
    approval = 'always',
    ...grant
  }: { approval?: 'always' | 'never'; tools?: string[]; forms?: boolean } = {},
): Promise<GrantedProgram> {
  const { user, auth } = await signUpAtApp(stack)
  const agentId = await giveAgent(stack, user.id, approval)
  await connectSmtp(stack, user.id)
  const url = `${stack.url}/functions/v1/mcp`
  const client = new OAuthClient(url)
  await client.discover()
  await client.register('Claude Code')
  const listed = await request(stack, user, 'GET', path)
  const tools = [...listed.json.agents[0].tools.map((tool: { name: string }) => tool.name), 'ask_agent']
  const made = await request(stack, user, 'POST', path, {
    clientId: client.clientId,
    clientName: 'Claude Code',
    redirectHost: 'localhost',
    agentId,
    tools,
    ...grant,
  })
  const { access_token: token } = await readJson(await client.exchange(await client.consent(auth)))
  const grantId = made.json.grant.id as string
  return {
    user,
    token,
    clientId: client.clientId,
    grantId,
    agentId,
    change: async (change) => void (await request(stack, user, 'PATCH', `${path}/${grantId}`, change)),
    revoke: async () => void (await request(stack, user, 'DELETE', `${path}/${grantId}`)),
    call: (name, args = {}, capabilities = {}, more = {}) =>
      ask(
        { url, token, client: 'claude-code' },
        'tools/call',
        { name, arguments: args, ...more },
        capabilities,
      ),
  }
}
