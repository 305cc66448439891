import { expect, test } from 'vitest'
import { nextTimes } from '../../../shared/server/schedules/next-times.ts'

const after = (cron: string, moment: string, count = 2, timeZone = 'Europe/Berlin', until?: string) =>
  nextTimes({ cron, timeZone, until }, new Date(moment), count)

test('a schedule is due at its time in its time zone, in summer and winter', async () => {
  expect(await after('0 9 * * 1-5', '2027-03-26T12:00:00Z')).toEqual([
    '2027-03-29T07:00:00.000Z',
    '2027-03-30T07:00:00.000Z',
  ])
  expect(await after('0 9 * * 1-5', '2026-11-27T12:00:00Z', 1)).toEqual(['2026-11-30T08:00:00.000Z'])
})

test('a time that the clocks skip in spring is due half an hour later, on that day only', async () => {
  expect(await after('30 2 * * *', '2027-03-27T12:00:00Z')).toEqual([
    '2027-03-28T01:00:00.000Z',
    '2027-03-29T00:30:00.000Z',
  ])
})

test('a time that the clocks repeat in autumn is due once', async () => {
  expect(await after('30 2 * * *', '2026-10-24T12:00:00Z')).toEqual([
    '2026-10-25T00:30:00.000Z',
    '2026-10-26T01:30:00.000Z',
  ])
})

test('nothing is due after its end, on a day that never comes, or by an expression that cannot be read', async () => {
  expect(await after('0 9 * * *', '2026-11-29T12:00:00Z', 3, 'UTC', '2026-11-30T09:00:00Z')).toEqual([
    '2026-11-30T09:00:00.000Z',
  ])
  expect(await after('0 9 31 2 *', '2026-11-29T12:00:00Z')).toEqual([])
  expect(await after('0 25 * * *', '2026-11-29T12:00:00Z')).toBeUndefined()
  expect(await after('every day at nine am', '2026-11-29T12:00:00Z')).toBeUndefined()
})
