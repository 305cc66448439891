import type { Sql } from 'postgres'
import { onTestFinished } from 'vitest'

/** Holds what a statement locks until `release`, or until the test has ended. */
export async function lockUntilReleased(admin: Sql, lock: (sql: Sql) => Promise<unknown>) {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  let onLocked = () => {}
  const locked = new Promise<void>((resolve) => {
    onLocked = resolve
  })
  const ended = admin.begin(async (sql) => {
    await lock(sql as unknown as Sql)
    onLocked()
    await released
  })
  await Promise.race([locked, ended])
  onTestFinished(release)
  return {
    async release() {
      release()
      await ended
    },
  }
}
