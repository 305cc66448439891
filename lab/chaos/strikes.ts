import type { HopListener, Point } from './hop.ts'

/** The points at which processes are to be killed, by user; each once. */
export interface Strikes {
  onHop: HopListener
  /** `strike` is awaited before the request goes on, if its sender is still alive. */
  set(userId: string, point: Point, strike: () => Promise<void>): void
  /** True if the point was not reached. */
  drop(userId: string): boolean
}

export function createStrikes(): Strikes {
  const waiting = new Map<string, { point: Point; seen: number; strike: () => Promise<void> }>()
  return {
    onHop({ name, userId }, side) {
      const one = waiting.get(userId)
      if (one?.point.hop !== name) return undefined
      if (side === 'before') one.seen++
      if (side !== one.point.side || one.seen !== one.point.nth) return undefined
      waiting.delete(userId)
      return one.strike()
    },
    set: (userId, point, strike) => void waiting.set(userId, { point, seen: 0, strike }),
    drop: (userId) => waiting.delete(userId),
  }
}
