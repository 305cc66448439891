import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readKeys } from '../local/data-directory/keys.ts'
import { findDeno } from '../local/functions/deno-binary.ts'
import { makeFunctionEnvironment } from '../local/functions/environment.ts'
import { type FunctionProcess, startFunction } from '../local/functions/function-process.ts'
import { foundFunction } from './found-function.ts'
import type { TestStack } from './stack.ts'

/** A process of a function beside a stack's own, without a gateway before it. `folder`: with the functions, by default the product's. */
export async function startStackFunction(
  stack: Pick<TestStack, 'dataDirectory' | 'url' | 'databaseUrl'>,
  name: string,
  signal: AbortSignal,
  {
    deno = findDeno(),
    environment = {},
    folder = 'supabase/functions',
  }: { deno?: string; environment?: Record<string, string>; folder?: string } = {},
): Promise<FunctionProcess> {
  return await startFunction({
    name,
    source: foundFunction(folder, name),
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
