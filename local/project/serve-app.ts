import { fork } from 'node:child_process'
import { once } from 'node:events'
import { StartError } from '../process/start-error.ts'

/** What an app has to know of the stack. */
export interface ServedStack {
  url: string
  publishableKey: string
}

/** What the process of the app says: where it will be served, later its address, or why it cannot be. */
export type FromApp = { place: AppPlace } | { address: string } | { problem: string }

/** The port that an app will be served at, and its path there: Vite's `base`. */
export interface AppPlace {
  port: number
  path: string
}

/** A project's own web app. */
export interface ServedApp extends AppPlace {
  /** Serves it, with the address and the key of the stack in its environment. Resolves to its address. */
  listen(stack: ServedStack): Promise<string>
  close(): Promise<void>
}

/**
 * Prepares the project's own Vite app, in a process of its own. `program`: the path of `app-process.ts`, built.
 * @throws {StartError} when there is none, or it cannot be served
 */
export async function serveApp(directory: string, program: string): Promise<ServedApp> {
  const child = fork(program, { cwd: directory, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const ended = once(child, 'exit')
  const warn = () => console.error('The app is not served any more: its Vite has ended. Start again.')
  const close = async () => {
    child.off('exit', warn)
    if (child.connected) child.disconnect()
    await ended
  }
  const hear = async <Key extends string>(key: Key) => {
    const end = ended.then(() => [{ problem: "The app's Vite has ended." }])
    const [message] = await Promise.race([once(child, 'message'), end])
    if (key in message) return message[key]
    await close()
    throw new StartError(message.problem)
  }
  const place: AppPlace = await hear('place')
  return {
    ...place,
    async listen({ url, publishableKey }) {
      child.send({ url, publishableKey } satisfies ServedStack)
      const address: string = await hear('address')
      child.once('exit', warn)
      return address
    },
    close,
  }
}
