import type { Sql } from 'postgres'
import { onTestFinished } from 'vitest'

/** Holds what a statement locks until `release`, or until the test has ended. */
export async function holdLock(admin: Sql, lock: (sql: Sql) => Promise<unknown>) {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  let isHeld = () => {}
  const held = new Promise<void>((resolve) => {
    isHeld = resolve
  })
  const ended = admin.begin(async (sql) => {
    await lock(sql as unknown as Sql)
    isHeld()
    await released
  })
  await Promise.race([held, ended])
  onTestFinished(release)
  return {
    async release() {
      release()
      await ended
    },
  }
}
