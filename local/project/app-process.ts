import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type * as Vite from 'vite'
import { StartError } from '../process/start-error.ts'
import type { FromApp, ServedStack } from './serve-app.ts'

/**
 * Serves the Vite app of the current folder, with its own Vite, configuration and port. It is a program of its own, since
 * Vite ends its process as it likes: with a signal, the database would be left behind.
 */
const directory = process.cwd()
/** The keys of the stack, and a database that changes all the time. */
const dataDirectory = '**/.askback/**'

const say = (message: FromApp) => process.send?.(message)
process.once('disconnect', () => process.exit())
// Ctrl+C also reaches the stack, which then closes the channel.
process.on('SIGINT', () => {})

try {
  const configFile = findConfigFile() ?? requireViteApp()
  const vite = await importVite()
  const { base, server: settings } = await vite
    .resolveConfig({ root: directory }, 'serve')
    .catch((error: Error) => {
      throw new StartError(`The app's ${configFile} cannot be used: ${error.message}`)
    })
  const { port = 5173, fs, watch } = settings
  // A base may also be relative, or the address of a CDN.
  say({ place: { port, path: base.startsWith('/') ? base : '/' } })
  const [{ url, publishableKey }]: [ServedStack] = (await once(process, 'message')) as [ServedStack]
  process.env.VITE_SUPABASE_URL = url
  process.env.VITE_SUPABASE_PUBLISHABLE_KEY = publishableKey
  // The older name.
  process.env.VITE_SUPABASE_ANON_KEY = publishableKey
  const server = await vite.createServer({
    root: directory,
    // What functions have logged stays on the screen.
    clearScreen: false,
    server: {
      port,
      strictPort: true,
      fs: { deny: [...fs.deny, dataDirectory] },
      watch: watch === null ? undefined : { ignored: [dataDirectory] },
    },
  })
  await server.listen().catch((error: Error) => {
    throw new StartError(
      `The app cannot be served: ${error.message}. Stop whatever uses its port, or set server.port in ${configFile}.`,
    )
  })
  say({ address: server.resolvedUrls?.local[0] ?? `http://localhost:${port}/` })
} catch (error) {
  say({ problem: error instanceof StartError ? error.message : String((error as Error).stack) })
}

function findConfigFile(): string | undefined {
  return readdirSync(directory).find((name) => /^vite\.config\.[cm]?[jt]s$/.test(name))
}

/**
 * Vite needs no configuration. Returns the name of the file that one would be written to.
 * @throws {StartError} when this is no folder of a Vite app
 */
function requireViteApp(): string {
  if (existsSync(join(directory, 'index.html')) || dependsOnVite()) return 'vite.config.ts'
  throw new StartError(
    `There is no Vite app in ${directory}: it has no index.html, no vite.config.ts or the like, and its package.json does not depend on "vite". Add one, or start your app yourself with the address and the key that the page /status shows.`,
  )
}

function dependsOnVite(): boolean {
  try {
    const { dependencies, devDependencies } = JSON.parse(
      readFileSync(join(directory, 'package.json'), 'utf8'),
    )
    return 'vite' in { ...dependencies, ...devDependencies }
  } catch {
    return false
  }
}

/** @throws {StartError} when it is not installed */
async function importVite(): Promise<typeof Vite> {
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
