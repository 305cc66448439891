import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from '../database.ts'
import { findFreePort } from '../free-port.ts'
import type { PortMemory } from '../port-memory.ts'
import { StartError } from '../start-error.ts'
import { findPostgresBinaries } from './binaries.ts'
import { chooseOperatingUser, type OperatingUser } from './operating-user.ts'
import { endOrphan } from './orphan.ts'
import { createCluster, startServer } from './server.ts'

const restartDelayMs = 200

/**
 * The PostgreSQL that npm installed, on a data directory of its own, only reachable from this machine and with
 * a password. When it crashes it is started again on the same port.
 */
export async function startEmbeddedPostgres(options: {
  dataDirectory: string
  password: string
  ports: PortMemory
  onChange: () => void
}): Promise<Database> {
  const { dataDirectory, password, ports, onChange } = options
  const user = chooseOperatingUser(findPostgresBinaries(), join(dataDirectory, 'postgres'))
  const logFile = join(dataDirectory, 'postgres.log')
  if (existsSync(user.directory)) await endOrphan(user.directory)
  else await createCluster(user, password)

  let { server, port } = await startOnFreePort(user, ports.recall('postgres'), logFile)
  ports.remember('postgres', port)
  let stopping = false
  let running = true
  let restarting = Promise.resolve()

  const watch = () => {
    server.once('exit', () => {
      running = false
      onChange()
      if (!stopping) restarting = restart()
    })
  }
  const restart = async (): Promise<void> => {
    console.error('[postgres] ended unexpectedly; starting it again')
    while (!running) {
      await new Promise((resolve) => setTimeout(resolve, restartDelayMs))
      if (stopping) return
      try {
        await endOrphan(user.directory)
        server = await startServer(user, port, logFile)
        running = true
      } catch (error) {
        console.error(`[postgres] ${(error as Error).message}`)
      }
    }
    watch()
    onChange()
  }
  watch()

  return {
    url: `postgres://postgres:${encodeURIComponent(password)}@127.0.0.1:${port}/postgres`,
    pid: () => (running ? server.pid : undefined),
    async close() {
      stopping = true
      await restarting
      if (running) await endServer(server)
    },
  }
}

/** A port can be taken between looking and starting; then the next one is tried. */
async function startOnFreePort(user: OperatingUser, wanted: number, logFile: string) {
  for (let attempt = 1; ; attempt++) {
    const port = await findFreePort(attempt === 1 ? wanted : 0)
    try {
      return { server: await startServer(user, port, logFile), port }
    } catch (error) {
      const taken =
        error instanceof StartError && /Address already in use|could not create any TCP/.test(error.message)
      if (!taken || attempt === 5) throw error
    }
  }
}

/** Fast shutdown; a server that hangs is ended at once after 10 s (its log is replayed at the next start). */
async function endServer(server: ChildProcess): Promise<void> {
  const exit = once(server, 'exit')
  server.kill('SIGINT')
  const timer = setTimeout(() => server.kill('SIGQUIT'), 10_000)
  await exit
  clearTimeout(timer)
}
