import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readSettings } from './settings.ts'
import { startStack } from './stack.ts'
import { StartError } from './start-error.ts'

/** `npm start`: runs the local stack until it is told to stop. */

const project = dirname(dirname(fileURLToPath(import.meta.url)))
let stopping = false

// Whoever reads our output may be gone before we are.
process.stdout.on('error', () => {})
process.stderr.on('error', () => {})

const starting = (async () => startStack(readSettings(process.env, join(project, 'supabase'))))()

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    if (stopping) return
    stopping = true
    starting
      .then((stack) => stack.close())
      .catch(report)
      .finally(() => process.exit(0))
  })
}
process.on('uncaughtException', fail)
process.on('unhandledRejection', report)

starting.then(
  ({ url, model }) => {
    console.log(`model: ${model}`)
    console.log(`ready ${url}`)
  },
  (error) => {
    if (stopping) return
    report(error)
    process.exit(1)
  },
)

/** A fault of the stack itself: what it has started must not outlive it. */
async function fail(error: unknown): Promise<void> {
  report(error)
  if (stopping) return
  stopping = true
  await starting.then((stack) => stack.close()).catch(report)
  process.exit(1)
}

function report(error: unknown): void {
  console.error(error instanceof StartError ? error.message : error)
}
