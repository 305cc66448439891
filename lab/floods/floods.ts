import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { signUp } from '../../support/chat-user.ts'
import type { TestStack } from '../../support/stack.ts'
import type { Waited } from './other-user.ts'

/** What one user does, as fast as they can. */
export const floods = ['turns', 'steps', 'streams', 'files'] as const
export type Flood = (typeof floods)[number]

/**
 * Those that go on at the same rate when the stack refuses each request before it reads it: what they cost then is what the
 * flooder and its connections cost on the same machine. The steps of `steps` are the service's own work.
 */
export const controls: readonly Flood[] = ['turns', 'streams', 'files']

/** What became of the requests of a flood. */
export interface FloodCounts {
  answered: number
  refused: number
}

export interface FloodResult extends FloodCounts {
  flood: Flood
  isControl: boolean
  before: Waited
  during: Waited
}

export interface FloodOrder {
  flood: Flood
  url: string
  token: string
}

/** A flood has this long to meet its limit before the other user is measured, in milliseconds. */
const graceMs = 3000

/**
 * Floods from a process of its own, so that it takes no time of whoever measures; resolves when it has met its limit. A
 * control has a token with which nothing is let in.
 */
export async function startFlood(
  flood: Flood,
  stack: TestStack,
  isControl: boolean,
): Promise<{ stop(): Promise<FloodCounts> }> {
  const token = isControl ? 'none' : (await signUp(stack)).token
  const flooder = fork(fileURLToPath(new URL('flooder.ts', import.meta.url)), {
    execArgv: ['--import', 'tsx'],
  })
  const order: FloodOrder = { flood, url: `${stack.url}/functions/v1/chat`, token }
  flooder.send(order)
  // It says first that it has begun, then that it was refused.
  await once(flooder, 'message')
  await once(flooder, 'message', { signal: AbortSignal.timeout(graceMs) }).catch(() => {})
  return {
    async stop() {
      const counts = once(flooder, 'message')
      flooder.send('stop')
      const [told] = (await counts) as [FloodCounts | string]
      const [last] = typeof told === 'string' ? ((await once(flooder, 'message')) as [FloodCounts]) : [told]
      flooder.kill('SIGKILL')
      return last
    },
  }
}
