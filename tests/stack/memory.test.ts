import { expect, test } from 'vitest'
import { measureMemory } from '../../bench/memory/measure-memory.ts'

/** MB of heap and external memory; Supabase ends a function at 256. */
const limit = 200

// Reads CPU times from /proc.
test.runIf(process.platform === 'linux')(
  'the chat function stays within its memory, and refuses what does not fit',
  async () => {
    const measured = await measureMemory()
    expect(measured.filter(({ peak }) => peak > limit)).toEqual([])
    for (const { name, statuses } of measured) {
      expect(statuses.length, name).toBeGreaterThan(0)
      expect([name, ...statuses.filter((status) => ![200, 201, 413, 429].includes(status))]).toEqual([name])
      expect(
        statuses.some((status) => status < 300),
        name,
      ).toBe(true)
    }
  },
  300_000,
)
