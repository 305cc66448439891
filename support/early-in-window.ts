import { setTimeout } from 'node:timers/promises'

const windows = { minute: { ms: 60_000, roomMs: 5_000 }, hour: { ms: 3_600_000, roomMs: 30_000 } }

/**
 * Resolves early enough before the end of a window of limits, which are fixed and in UTC, that what a test does next
 * counts in one. A day ends with an hour.
 */
export async function earlyInWindow(per: keyof typeof windows): Promise<void> {
  const { ms, roomMs } = windows[per]
  const leftMs = () => ms - (Date.now() % ms)
  while (leftMs() < roomMs) await setTimeout(leftMs())
}
