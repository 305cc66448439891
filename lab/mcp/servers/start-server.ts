import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect, createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { environment } from '../../../scripts/platform.ts'
import { node } from '../packages.ts'
import { bridge, commandOf, type Participant, type Place } from './participants.ts'

/** A server at work. */
export interface RunningServer {
  port: number
  end(): Promise<void>
}

/** Milliseconds until a server listens. */
const startMs = 30_000

/** Starts a server in a Node that all of them know: as it speaks HTTP itself, or behind the bridge. */
export async function startServer(
  { packageName, args, env, port: byItself }: Participant,
  place: Omit<Place, 'port'>,
): Promise<RunningServer> {
  const port = byItself ? await freePort() : 0
  const own = { ...environment, ...env?.(place) }
  const command = [commandOf(packageName), ...args({ ...place, port })]
  const child = byItself
    ? spawn(node, command, {
        stdio: 'ignore',
        // Some leave files where they are started.
        cwd: place.folder,
        env: { ...own, ...(byItself === 'PORT' ? { PORT: `${port}` } : {}) },
      })
    : spawn(node, ['--disable-warning=ExperimentalWarning', bridge, node, ...command], {
        stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
        cwd: place.folder,
        env: own,
      })
  const exit = once(child, 'exit')
  const end = async () => {
    child.kill()
    await exit
  }
  try {
    if (child.stdout) {
      const [line] = await once(createInterface(child.stdout), 'line', {
        signal: AbortSignal.timeout(startMs),
      })
      return { port: Number(line), end }
    }
    await listening(port)
    return { port, end }
  } catch (cause) {
    await end()
    throw new Error(`${packageName} did not start.`, { cause })
  }
}

/** A port of this machine that nobody uses. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, 'localhost')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

async function listening(port: number): Promise<void> {
  const until = Date.now() + startMs
  for (;;) {
    const socket = connect(port, 'localhost')
    try {
      await once(socket, 'connect')
      return
    } catch (cause) {
      if (Date.now() > until) throw cause
      await wait(100)
    } finally {
      socket.destroy()
    }
  }
}
