import { readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type * as Vite from 'vite'
import { StartError } from '../process/start-error.ts'

/** A project's own web app. */
export interface ServedApp {
  /** The port that it will be served at. */
  port: number
  /** Serves it, with the address and the key of the stack in its environment. Resolves to its address. */
  listen(stack: { url: string; publishableKey: string }): Promise<string>
  close(): Promise<void>
}

/**
 * Prepares the project's own Vite app: with its own Vite, configuration and port.
 * @throws {StartError} when it has none
 */
export async function serveApp(directory: string): Promise<ServedApp> {
  if (!readdirSync(directory).some((name) => /^vite\.config\.[cm]?[jt]s$/.test(name))) {
    throw new StartError(`--app serves a Vite app, but ${directory} has no vite.config.ts or the like.`)
  }
  const vite = await importVite(directory)
  const { server: settings } = await vite.resolveConfig({ root: directory }, 'serve')
  const port = settings.port ?? 5173
  let server: Vite.ViteDevServer | undefined
  return {
    port,
    async listen({ url, publishableKey }) {
      process.env.VITE_SUPABASE_URL = url
      process.env.VITE_SUPABASE_PUBLISHABLE_KEY = publishableKey
      process.env.VITE_SUPABASE_ANON_KEY = publishableKey
      server = await vite.createServer({ root: directory, server: { port, strictPort: true } })
      await server.listen().catch((error: Error) => {
        throw new StartError(`The app cannot be served: ${error.message}. Stop whatever uses its port.`)
      })
      return server.resolvedUrls?.local[0] ?? `http://localhost:${port}/`
    },
    close: async () => await server?.close(),
  }
}

async function importVite(directory: string): Promise<typeof Vite> {
  let path: string
  try {
    const manifest = createRequire(join(directory, 'package.json')).resolve('vite/package.json')
    path = join(manifest, '..', 'dist/node/index.js')
  } catch {
    throw new StartError(
      `--app needs the project's own Vite, which is not installed in ${directory}. Run npm install there.`,
    )
  }
  return await import(pathToFileURL(path).href)
}
