import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { keepRunning, report, waitForStop } from './process/long-running.ts'
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
  keepRunning()
  const stopped = waitForStop().then(() => 0 as const)
  try {
    const config = readProjectConfig(join(directory, 'supabase'))
    const app = servesApp ? await serveApp(directory, appProcess) : undefined
    const settings = readProjectSettings(
      { ...environment, ...(app ? { ASKBACK_WEB_PORT: String(app.port), ASKBACK_WEB_PATH: app.path } : {}) },
      { directory, config, resets, webApp },
    )
    const stack = startStack(settings)
    try {
      const ready = await Promise.race([stack.ready, stopped])
      if (ready === 0) return 0
      console.log(`model: ${ready.model}`)
      console.log(`test inbox: ${ready.url}/inbox`)
      console.log(`status, with keys and the demo user: ${ready.url}/status`)
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
