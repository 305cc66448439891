import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** The built web app. */
export interface WebApp {
  /** The folder with `index.html`. Rejects with the reason when the build failed. */
  directory: Promise<string>
  close(): void
}

/** What the build depends on. */
const sources = ['web', 'client', 'package-lock.json']
/** How many earlier builds are kept, so that switching between branches does not rebuild each time. */
const keptBuilds = 3

/**
 * Builds `web/` whenever its sources have changed. The result is cached in `node_modules/.cache` for every stack of
 * this checkout. The build runs in its own process, because the bundler takes 200 MB.
 */
export function openWebApp(project: string): WebApp {
  const stop = new AbortController()
  const directory = build(project, stop.signal)
  // Whoever asks for a page gets the error.
  directory.catch(() => {})
  return { directory, close: () => stop.abort() }
}

async function build(project: string, signal: AbortSignal): Promise<string> {
  const cache = join(project, 'node_modules', '.cache', 'askback-web')
  const hash = createHash('sha256')
  for (const source of sources) await addToHash(hash, join(project, source))
  const target = join(cache, hash.digest('hex').slice(0, 16))
  if (existsSync(join(target, 'index.html'))) return target
  await mkdir(cache, { recursive: true })
  await forgetOldBuilds(cache)
  const draft = `${target}.${process.pid}`
  try {
    await runVite(project, draft, signal)
    await rename(draft, target)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    // Another stack has built it meanwhile.
    if (!existsSync(join(target, 'index.html'))) throw error
  }
  return target
}

async function addToHash(hash: ReturnType<typeof createHash>, path: string): Promise<void> {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => undefined)
  if (entries === undefined) {
    hash.update(path).update(await readFile(path))
    return
  }
  const names = entries.map(({ name }) => name).filter((name) => name !== 'node_modules' && name !== 'dist')
  for (const name of names.sort()) await addToHash(hash, join(path, name))
}

/** Stacks have read theirs; only a draft, named after its process, may still be written. */
async function forgetOldBuilds(cache: string): Promise<void> {
  const names = (await readdir(cache)).filter((name) => !isAlive(Number(name.split('.')[1])))
  const builds = await Promise.all(
    names.map(async (name) => ({
      path: join(cache, name),
      time: (await stat(join(cache, name))).mtimeMs,
    })),
  )
  const old = builds.sort((a, b) => b.time - a.time).slice(keptBuilds)
  await Promise.all(old.map(({ path }) => rm(path, { recursive: true, force: true })))
}

function isAlive(pid: number): boolean {
  if (!pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

function runVite(project: string, target: string, signal: AbortSignal): Promise<void> {
  const vite = join(project, 'node_modules', 'vite', 'bin', 'vite.js')
  const options = [
    '--config',
    join(project, 'web', 'vite.config.ts'),
    '--outDir',
    target,
    '--logLevel',
    'error',
  ]
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [vite, 'build', join(project, 'web'), ...options], {
      cwd: project,
      // Whatever the shell says: React's development build is twice as large.
      env: { ...process.env, NODE_ENV: 'production' },
      signal,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let said = ''
    child.stderr.on('data', (chunk) => {
      said += chunk
    })
    child.once('error', reject)
    child.once('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`The web app could not be built.\n${said}`)),
    )
  })
}
