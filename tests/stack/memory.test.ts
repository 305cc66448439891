import { expect, test } from 'vitest'
import { measureMemory } from '../../lab/bench/memory/measure-memory.ts'
import { memoryScenarios } from '../../lab/bench/memory/scenarios.ts'
import { isTestAll } from '../../support/test-all.ts'

/** MB of heap and external memory; Supabase ends a function at 256. */
const limit = 200

/** What takes most, in each way. */
const short = [
  'ten messages with a picture of 5 MiB at once, as data URLs',
  'ten messages with two uploaded pictures of 5 MiB at once',
  'ten streams at once, each an answer of 1 MB',
  '30 MiB of small parts in the history that a client sends',
]

// Reads CPU times from /proc.
test.runIf(process.platform === 'linux')(
  'the chat function stays within its memory, and refuses what does not fit',
  async () => {
    const chosen = isTestAll ? memoryScenarios : memoryScenarios.filter(({ name }) => short.includes(name))
    expect(chosen.length).toBeGreaterThanOrEqual(short.length)
    const measured = await measureMemory(chosen)
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
