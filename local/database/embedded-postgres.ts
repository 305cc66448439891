import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { PortMemory } from '../data-directory/port-memory.ts'
import { findFreePort } from '../process/free-port.ts'
import type { Database } from './database.ts'
import { projectRole } from './hosted-project.ts'
import { chooseOperatingUser } from './operating-user.ts'
import { endOrphan } from './orphan.ts'
import { createCluster, startServer, superuser } from './postgres-server.ts'

const restartDelayMs = 200

/**
 * A PostgreSQL server of the given binaries, with its own data directory, reachable only from this machine and with a
 * password. After a crash it is restarted on the same port.
 */
export async function startEmbeddedPostgres(options: {
  /** See `findPostgresBinaries`. */
  binaries: string
  dataDirectory: string
  /** Of the superuser; the stack gives it to the project's role, too. */
  password: string
  ports: PortMemory
  /** Aborts the start. */
  signal?: AbortSignal
  onChange(): void
}): Promise<Database> {
  const { binaries, dataDirectory, password, ports, onChange } = options
  const stop = new AbortController()
  const { signal } = stop
  options.signal?.addEventListener('abort', () => stop.abort(), { once: true })
  const user = chooseOperatingUser(binaries, join(dataDirectory, 'postgres'))
  const logFile = join(dataDirectory, 'postgres.log')
  if (existsSync(user.directory)) await endOrphan(user.directory)
  else await createCluster(user, password, signal)

  let { server, port } = await startOnFreePort(ports.recall('postgres'), (free) =>
    startServer(user, free, logFile, signal),
  )
  ports.remember('postgres', port)
  let running = true
  let restarting = Promise.resolve()

  const watch = () => {
    server.once('exit', () => {
      running = false
      onChange()
      if (!signal.aborted) restarting = restart()
    })
  }
  const restart = async (): Promise<void> => {
    console.error('[postgres] ended unexpectedly; restarting it')
    while (!running) {
      await new Promise((resolve) => setTimeout(resolve, restartDelayMs))
      if (signal.aborted) return
      if (!existsSync(user.directory)) {
        console.error(`[postgres] ${user.directory} was deleted. Stop Askback and start it again.`)
        return
      }
      try {
        await endOrphan(user.directory)
        server = await startServer(user, port, logFile, signal)
        running = true
      } catch (error) {
        console.error(`[postgres] ${(error as Error).message}`)
      }
    }
    watch()
    onChange()
  }
  watch()

  const urlOf = (role: string) =>
    `postgres://${role}:${encodeURIComponent(password)}@127.0.0.1:${port}/postgres`
  return {
    adminUrl: urlOf(superuser),
    url: urlOf(projectRole),
    pids: () => (running && server.pid !== undefined ? { postgres: server.pid } : {}),
    async close() {
      stop.abort()
      await restarting
      if (running) await endServer(server)
    },
  }
}

/** The port may be taken between the check and the start; then the next one is tried. */
async function startOnFreePort(wanted: number, start: (port: number) => Promise<ChildProcess>) {
  for (let attempt = 1; ; attempt++) {
    const port = await findFreePort(attempt === 1 ? wanted : 0)
    try {
      return { server: await start(port), port }
    } catch (error) {
      const isTaken = (await findFreePort(port)) !== port
      if (!isTaken || attempt === 5) throw error
    }
  }
}

/** Fast shutdown; a server that hangs is killed after 10 s (it replays its log at the next start). */
async function endServer(server: ChildProcess): Promise<void> {
  const exit = once(server, 'exit')
  server.kill('SIGINT')
  const timer = setTimeout(() => server.kill('SIGQUIT'), 10_000)
  await exit
  clearTimeout(timer)
}
