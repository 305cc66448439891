import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { findFreePort } from '../../../local/process/free-port.ts'
import { environment } from '../../../scripts/platform.ts'
import { commandOf, node } from '../packages.ts'
import { bridge, type Participant, type Place } from './participants.ts'

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
  const port = byItself ? await findFreePort(0) : 0
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
