import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { StartError } from './process/start-error.ts'
import { serveApp } from './project/serve-app.ts'
import { readProjectConfig } from './settings/project-config.ts'
import { type Environment, readProjectSettings } from './settings/settings.ts'
import { startStack } from './stack/stack.ts'

export interface DevOptions {
  /** The folder that holds `supabase/`. */
  directory: string
  /** Start over with an empty database. */
  resets: boolean
  /** Serve the project's own Vite app, too. */
  servesApp: boolean
  /** The folder of our built web app. */
  webApp: string
  environment: Environment
}

/** The program that serves the project's own app. */
const appProcess = fileURLToPath(new URL('app-process.js', import.meta.url))

/**
 * `askback dev`: runs somebody's Supabase project until it is told to stop. Resolves to the exit code: 0 after a signal, 1
 * when it cannot start.
 */
export async function runProject(options: DevOptions): Promise<0 | 1> {
  const { directory, resets, servesApp, webApp, environment } = options
  // An error in a timer of one part (postgres.js, when its server dies) must not take the others down.
  process.on('uncaughtException', report)
  process.on('unhandledRejection', report)
  try {
    const config = readProjectConfig(join(directory, 'supabase'))
    const app = servesApp ? await serveApp(directory, appProcess) : undefined
    const settings = readProjectSettings(
      { ...environment, ...(app ? { ASKBACK_WEB_PORT: String(app.port) } : {}) },
      { directory, config, resets, webApp },
    )
    const stack = startStack(settings)
    const stopped = new Promise<0>((resolve) => {
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve(0))
      // A program that started it with a channel, like a test, takes it along.
      process.once('disconnect', () => resolve(0))
    })
    try {
      const ready = await Promise.race([stack.ready, stopped])
      if (ready === 0) return 0
      console.log(`model: ${ready.model}`)
      console.log(`inbox: ${ready.url}/inbox`)
      if (app) console.log(`app: ${await app.listen(ready)}`)
      console.log(`ready ${ready.url}`)
      return await stopped
    } finally {
      await app?.close()
      await stack.close()
    }
  } catch (error) {
    report(error)
    return 1
  }
}

function report(error: unknown): void {
  console.error(error instanceof StartError ? error.message : error)
}
