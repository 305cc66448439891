import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readKeys } from '../local/data-directory/keys.ts'
import { findDeno } from '../local/functions/deno-binary.ts'
import { makeFunctionEnvironment } from '../local/functions/environment.ts'
import { type FunctionProcess, startFunction } from '../local/functions/function-process.ts'
import { hostedDeno } from '../scripts/platform.ts'
import type { ChatStack } from './chat-stack.ts'
import { foundFunction } from './found-function.ts'

/**
 * A second process of the chat function beside a stack's, without a gateway before it: on the Deno of hosted functions
 * where npm has it for this machine, else on the stack's own.
 */
export async function startChatProcess(
  {
    stack,
    model,
  }: { stack: Pick<ChatStack['stack'], 'dataDirectory' | 'url' | 'databaseUrl'>; model: { url: string } },
  signal: AbortSignal,
  /** Where it finds the project. */
  url = stack.url,
  environment: Record<string, string> = {},
) {
  const keys = readKeys(stack.dataDirectory)
  const running: FunctionProcess = await startFunction({
    name: 'chat',
    source: foundFunction('supabase/functions', 'chat'),
    deno: existsSync(hostedDeno) ? hostedDeno : findDeno(),
    environment: makeFunctionEnvironment({
      environment,
      model: {
        LLM_PROVIDER: 'any',
        OPENAI_BASE_URL: model.url,
        OPENAI_API_KEY: 'any',
        OPENAI_MODEL: 'scripted-model',
      },
      url,
      databaseUrl: stack.databaseUrl,
      keys,
      authorityFile: join(stack.dataDirectory, 'inbox-authority.pem'),
      denoDirectory: join(tmpdir(), 'deno-hosted'),
    }),
    signal,
  })
  return { ...running, url: `http://127.0.0.1:${running.port}/chat/v1` }
}
