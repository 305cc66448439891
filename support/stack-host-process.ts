import { join } from 'node:path'
import { readSettings } from '../local/settings/settings.ts'
import { startStack } from '../local/stack/stack.ts'

// Runs one stack after another, as `local/start.ts` runs one: the later ones find the code loaded. It is told the
// environment of a stack to start it, and anything else to stop it; it answers on its output, as `npm start` does.

process.on('uncaughtException', (error) => console.error(error))
process.on('unhandledRejection', (error) => console.error(error))

let stack: ReturnType<typeof startStack> | undefined

process.on('message', async (environment: Record<string, string> | 'stop') => {
  if (environment === 'stop') {
    await stack?.close()
    console.log('stopped')
    return
  }
  stack = startStack(readSettings(environment, join(import.meta.dirname, '../supabase')))
  try {
    const { url, model } = await stack.ready
    console.log(`model: ${model}`)
    console.log(`ready ${url}`)
  } catch (error) {
    console.error(error)
    await stack.close()
    process.exit(1)
  }
})
const end = () => void stack?.close().finally(() => process.exit(0))
process.on('SIGTERM', end)
// The process that started it has ended.
process.once('disconnect', end)
