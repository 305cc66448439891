import { findDeno } from '../../../local/functions/deno-binary.ts'
import { hostedDeno } from '../../../scripts/platform.ts'
import { startMcpProcess } from '../../../support/mcp-process.ts'
import { startPausingProxy } from '../../../support/pausing-proxy.ts'
import type { TestStack } from '../../../support/stack.ts'
import { startRoundRobin } from '../round-robin.ts'

/** The function `mcp` in two processes that take turns. */
export interface Stage {
  stack: TestStack
  url: string
  /** Breaks a call off when the `nth` answer from now on is on its way. */
  cut(nth: number): Promise<void>
  close(): Promise<void>
}

export async function setStage(stack: TestStack): Promise<Stage> {
  const ending = new AbortController()
  const project = await startPausingProxy(stack.url)
  const environment = { ASKBACK_PUBLIC_URL: stack.url }
  const processes = await Promise.all(
    [findDeno(), hostedDeno].map((deno) =>
      startMcpProcess({ ...stack, url: project.url }, deno, ending.signal, environment, 'supabase/functions'),
    ),
  )
  const gateway = await startRoundRobin(processes)
  return {
    stack,
    url: `${gateway.url}/mcp`,
    async cut(nth) {
      const pause = project.pauseNext('/chat/client-calls', nth)
      await pause.answered
      gateway.cut()
      await pause.left
      pause.release()
    },
    async close() {
      ending.abort()
      await gateway.close()
      await project.close()
    },
  }
}
