import { expect, it } from 'vitest'
import { describeVerdict, isWrong } from '../../lab/chaos/report.ts'
import { storm } from '../../lab/chaos/storm.ts'
import { isTestAll } from '../../support/test-all.ts'

// The short form of `npm run chaos`.
it('functions, PostgreSQL and the stack die or stand still at any moment: no mail is doubled, lost or untold, nothing that is told is untrue, and nobody is blocked', async () => {
  const { verdicts, struck } = await storm({
    kills: isTestAll ? 40 : 8,
    seed: 17,
    seconds: 25,
    atOnce: 6,
    delays: [0, 0, 0, 1_000],
    freezes: [3],
  })
  expect(verdicts.filter(isWrong).map(describeVerdict)).toEqual([])
  expect(struck.kills).toBeGreaterThan(0)
}, 180_000)
