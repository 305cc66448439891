import type { FunctionProcess } from '../local/functions/function-process.ts'
import { signUp } from './chat-user.ts'
import type { TestStack } from './stack.ts'
import { startStackFunction } from './stack-function.ts'

/** A process of MCP beside a stack, whose database it uses: of the fixture in `support/functions`, or of the product. */
export async function startMcpProcess(
  stack: Pick<TestStack, 'dataDirectory' | 'url' | 'databaseUrl'>,
  deno: string,
  signal: AbortSignal,
  environment: Record<string, string> = {},
  folder: 'support/functions' | 'supabase/functions' = 'support/functions',
): Promise<FunctionProcess> {
  return await startStackFunction(stack, 'mcp', signal, { deno, environment, folder })
}

/** A new user with an API token, for `mcp` or for what `scope` says. */
export async function signUpForMcp(stack: TestStack, scope: 'chat' | 'mcp' = 'mcp') {
  const user = await signUp(stack)
  return { user, token: await makeToken(stack, user, scope) }
}

/** Another token of a user. */
export async function makeToken(
  stack: TestStack,
  user: { token: string },
  scope: 'chat' | 'mcp' = 'mcp',
): Promise<{ id: string; value: string }> {
  const made = await fetch(`${stack.url}/functions/v1/integration-settings/tokens`, {
    method: 'POST',
    headers: { authorization: `Bearer ${user.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'A client', scope }),
  })
  return ((await made.json()) as { token: { id: string; value: string } }).token
}
