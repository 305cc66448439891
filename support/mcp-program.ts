import { type ChatUser, connectSmtp, giveAgent, signUp } from './chat-user.ts'
import { decisionOn } from './decision.ts'
import { ask, type Message } from './mcp-client.ts'
import { OAuthClient, readJson, type signUpAtApp } from './oauth-client.ts'
import type { TestStack } from './stack.ts'

/** A program that calls the tools of a user over MCP. */
export interface Program {
  user: ChatUser
  token: string
  call(tool: string, args?: object, how?: HowToCall): Promise<Message>
}

interface HowToCall {
  /** What it says that it can do; by default nothing. */
  capabilities?: object
  /** Beside the name and the arguments: what it answers. */
  reply?: object
  /** As it calls itself, instead of its own name. */
  client?: string
  /** Another address than the stack's. */
  url?: string
  signal?: AbortSignal
}

/** Says that it can show forms and open links. */
export const canAsk = { elicitation: { form: {}, url: {} } }

/** A user with a mail account, and an agent whose writes ask as `approval` says. */
export async function signUpForPrograms(stack: TestStack, approval: 'always' | 'never'): Promise<ChatUser> {
  const user = await signUp(stack)
  await giveAgent(stack, user.id, approval)
  await connectSmtp(stack, user.id)
  return user
}

/** A program with a token that its user has made for it. */
export async function programOf(stack: TestStack, user: ChatUser, name = 'Codex'): Promise<Program> {
  const made = await settings(stack, user, '/tokens', { name, scope: 'mcp' })
  return withToken(stack, user, made.token.value, name)
}

/** A program that has just registered, signed its user in, and was granted these tools. */
export async function connectedProgram(
  stack: TestStack,
  { user, auth }: Awaited<ReturnType<typeof signUpAtApp>>,
  tools: readonly string[],
  name = 'Codex',
): Promise<Program & { clientId: string }> {
  const client = new OAuthClient(`${stack.url}/functions/v1/mcp`)
  await client.discover()
  await client.register(name)
  const { access_token: token } = await readJson(await client.exchange(await client.consent(auth)))
  const { agents } = await settings(stack, user, '/mcp-grants')
  const { clientId } = client
  const agentId = agents[0].id
  await settings(stack, user, '/mcp-grants', { clientId, clientName: name, agentId, tools })
  return { ...withToken(stack, user, token, name), clientId }
}

function withToken(stack: TestStack, user: ChatUser, token: string, name: string): Program {
  return {
    user,
    token,
    call: (tool, args = {}, { capabilities = {}, reply = {}, client = name, url, signal } = {}) =>
      ask(
        { url: url ?? `${stack.url}/functions/v1/mcp`, token, client, ...(signal && { signal }) },
        'tools/call',
        { name: tool, arguments: args, ...reply },
        capabilities,
      ),
  }
}

async function settings(stack: TestStack, { token }: ChatUser, path: string, body?: object) {
  const response = await fetch(`${stack.url}/functions/v1/integration-settings${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  const json = await readJson(response)
  if (!response.ok) throw new Error(`${path} is refused: ${JSON.stringify(json)}`)
  return json
}

/** What a program's model reads of an answer. */
export function textOf({ result, error }: Message): string {
  return error ? `error: ${error.message}` : result.content.map((part: Message) => part.text).join('\n')
}

/** A program's answer to what it was asked. */
export function answerTo(asked: Message, action: 'accept' | 'decline' | 'cancel', content?: object) {
  return {
    requestState: asked.result.requestState,
    inputResponses: { item: { action, ...(content && { content }) } },
  }
}

/** What waits for a user. */
export async function pendingOf(user: ChatUser): Promise<Message[]> {
  const { body } = await user.get('/open')
  return (body as { items: Message[] }).items
}

/** Decides in the app about what waits; by default about all of it, at once. */
export async function decide(user: ChatUser, decision: 'approve' | 'deny', items?: readonly Message[]) {
  const all = items ?? (await pendingOf(user))
  return await Promise.all(
    all.map((item) => user.post(decisionOn(item, decision), { path: `/${item.conversationId}/approval` })),
  )
}
