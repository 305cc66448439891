import { spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { createServer } from 'vite'

/** `npm run dev`: the local stack, and the web app from its sources with hot reload. */

const project = dirname(dirname(fileURLToPath(import.meta.url)))
// The stack notices over this channel when this process ends, however it ends, and then ends too.
const stack = spawn(process.execPath, ['--import', 'tsx', 'local/start.ts'], {
  cwd: project,
  stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
})
stack.once('exit', (code) => process.exit(code ?? 1))

for await (const line of createInterface({ input: stack.stdout! })) {
  const url = /^ready (http\S+)$/.exec(line)?.[1]
  if (url === undefined) console.log(line)
  else await openApp(url)
}

async function openApp(url: string): Promise<void> {
  process.env.ASKBACK_STACK_URL = url
  const vite = await createServer({ configFile: join(project, 'web', 'vite.config.ts') })
  await vite.listen().catch((error: Error) => {
    console.error(
      `The web app cannot start: ${error.message}. Stop whatever uses its port, or set ASKBACK_WEB_PORT to another one.`,
    )
    stack.kill()
    process.exit(1)
  })
  console.log(`stack ${url}`)
  console.log(`ready ${vite.resolvedUrls?.local[0]}`)
}
