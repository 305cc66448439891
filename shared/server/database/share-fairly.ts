import type { CallRpc } from './call-rpc.ts'

/** Calls of one user at the same time, of the ten or so that the data API carries out for all. */
const mostOfOne = 4

interface Line {
  running: number
  waiting: (() => void)[]
}

/**
 * The same client, in which a user's further calls wait in this process while four of theirs are under way: whoever floods
 * waits for themselves. Calls that name no user store what a run has done, and never wait.
 */
export function shareFairly(rpc: CallRpc): CallRpc {
  const lines = new Map<unknown, Line>()

  async function enter(user: unknown): Promise<Line> {
    const line = lines.get(user) ?? { running: 0, waiting: [] }
    lines.set(user, line)
    if (line.running < mostOfOne) line.running++
    // Whoever leaves hands its place on.
    else await new Promise<void>((resolve) => line.waiting.push(resolve))
    return line
  }

  function leave(user: unknown, line: Line): void {
    const next = line.waiting.shift()
    if (next) next()
    else if (--line.running === 0) lines.delete(user)
  }

  return async (name, args) => {
    const { p_user_id: user } = args as { p_user_id?: unknown }
    if (user == null) return await rpc(name, args)
    const line = await enter(user)
    try {
      return await rpc(name, args)
    } finally {
      leave(user, line)
    }
  }
}
