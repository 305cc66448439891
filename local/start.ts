import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { keepRunning, report, waitForStop } from './process/long-running.ts'
import { readSettings } from './settings/settings.ts'
import { startStack } from './stack/stack.ts'

/** `npm start`: runs the local stack until it is told to stop. */

const project = dirname(dirname(fileURLToPath(import.meta.url)))

keepRunning()

try {
  const stack = startStack(readSettings(process.env, join(project, 'supabase')))
  let stopping: Promise<void> | undefined
  const stop = (exitCode: number) => {
    stopping ??= stack.close().finally(() => process.exit(exitCode))
  }
  void waitForStop().then(() => stop(0))
  stack.ready.then(
    ({ url, model, mcpUrl }) => {
      console.log(`model: ${model}`)
      if (mcpUrl !== undefined) console.log(`mcp: ${mcpUrl}`)
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
