import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readKeys } from '../local/data-directory/keys.ts'
import { makeFunctionEnvironment } from '../local/functions/environment.ts'
import { type FunctionProcess, startFunction } from '../local/functions/function-process.ts'
import { signUp } from './chat-user.ts'
import { foundFunction } from './found-function.ts'
import type { TestStack } from './stack.ts'

/** A process of MCP beside a stack, whose database it uses: of the fixture in `support/functions`, or of the product. */
export async function startMcpProcess(
  stack: Pick<TestStack, 'dataDirectory' | 'url' | 'databaseUrl'>,
  deno: string,
  signal: AbortSignal,
  environment: Record<string, string> = {},
  folder: 'support/functions' | 'supabase/functions' = 'support/functions',
): Promise<FunctionProcess> {
  return await startFunction({
    name: 'mcp',
    source: foundFunction(folder, 'mcp'),
    deno,
    environment: makeFunctionEnvironment({
      environment,
      model: {},
      url: stack.url,
      databaseUrl: stack.databaseUrl,
      keys: readKeys(stack.dataDirectory),
      authorityFile: join(stack.dataDirectory, 'inbox-authority.pem'),
      denoDirectory: join(tmpdir(), 'deno-hosted'),
    }),
    signal,
  })
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
