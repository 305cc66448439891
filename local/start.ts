import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { StartError } from './process/start-error.ts'
import { readSettings } from './settings/settings.ts'
import { startStack } from './stack/stack.ts'

/** `npm start`: runs the local stack until it is told to stop. */

const project = dirname(dirname(fileURLToPath(import.meta.url)))

// Whatever reads our output may end before we do.
process.stdout.on('error', () => {})
process.stderr.on('error', () => {})
// An error in a timer of one part (postgres.js, when its server dies) must not take the others down.
process.on('uncaughtException', report)
process.on('unhandledRejection', report)

try {
  const stack = startStack(readSettings(process.env, join(project, 'supabase')))
  let stopping: Promise<void> | undefined
  const stop = (exitCode: number) => {
    stopping ??= stack.close().finally(() => process.exit(exitCode))
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop(0))
  // The stack ends with the process that started it: a program with a channel (a test), or npm.
  process.once('disconnect', () => stop(0))
  const parent = process.ppid
  if (process.env.npm_lifecycle_event) setInterval(() => process.ppid === parent || stop(0), 1000).unref()
  stack.ready.then(
    ({ url, model }) => {
      console.log(`model: ${model}`)
      console.log(`ready ${url}`)
    },
    (error) => {
      if (stopping === undefined) report(error)
      stop(1)
    },
  )
} catch (error) {
  report(error)
  process.exitCode = 1
}

function report(error: unknown): void {
  console.error(error instanceof StartError ? error.message : error)
}
