import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { environment } from '../scripts/platform.ts'

/** A function of a project that runs on its own, without a stack. */
export interface LoneFunction {
  url: string
  stop(): void
}

/**
 * Starts a function of a project with this Deno.
 * @param flags of `deno run`
 * @throws {Error} with what Deno says when it ends before it listens
 */
export async function startLoneFunction(options: {
  deno: string
  folder: string
  slug: string
  flags: string[]
  env?: Record<string, string>
}): Promise<LoneFunction> {
  const { deno, folder, slug, flags, env } = options
  // Deno 2.1 has no setting for the port: a module that takes a free one stands before ours.
  const starter = join(folder, `start-${randomUUID()}.ts`)
  writeFileSync(
    starter,
    `const serve = Deno.serve
    const address = { port: 0, hostname: '127.0.0.1', onListen: ({ port }) => console.log('listens on', port) }
    Object.assign(Deno, { serve: (handler: Deno.ServeHandler) => serve(address, handler) })
    await import('./supabase/functions/${slug}/index.ts')`,
  )
  const child = spawn(deno, ['run', '--allow-all', '--no-check', '--no-lock', ...flags, starter], {
    cwd: folder,
    env: {
      ...environment,
      NO_COLOR: '1',
      DENO_NO_UPDATE_CHECK: '1',
      SUPABASE_URL: 'http://127.0.0.1:9',
      SUPABASE_SERVICE_ROLE_KEY: 'key',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text) => {
    said += text
  })
  const failed = once(child, 'close').then(() => {
    throw new Error(said)
  })
  failed.catch(() => {})
  const listens = new Promise<string>((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const port = /^listens on (\d+)$/.exec(line)?.[1]
      if (port) resolve(port)
    })
  })
  const port = await Promise.race([listens, failed])
  return { url: `http://127.0.0.1:${port}/${slug}`, stop: () => child.kill() }
}
