import { z } from 'zod'
import {
  type NewSchedule,
  type Schedule,
  type ScheduleChange,
  type StoredSchedule,
  storedSchedule,
} from '../../../../shared/api/schedule.ts'
import { askDatabase } from '../../../../shared/server/database/ask-database.ts'
import type { CallRpc } from '../../../../shared/server/database/call-rpc.ts'
import { ApiError } from '../../../../shared/server/http/api-error.ts'
import { nextTimes, shownTimes, type Times } from '../../../../shared/server/schedules/next-times.ts'
import type { Language } from '../../../../shared/words/language.ts'
import { showDate } from '../../../../shared/words/locale.ts'
import { beginRefused } from '../turn/begin-refused.ts'

export async function listSchedules(
  rpc: CallRpc,
  userId: string,
  language: Language,
): Promise<{ schedules: Schedule[] }> {
  const stored = await readSchedules(rpc, userId)
  return { schedules: await Promise.all(stored.map((one) => withTimes(one, language))) }
}

function readSchedules(rpc: CallRpc, userId: string): Promise<StoredSchedule[]> {
  const asked = rpc('list_schedules', { p_user_id: userId })
  return askDatabase(asked, z.array(storedSchedule()), 'schedules_not_listed')
}

/** The schedule of a user. Throws ApiError 404. */
export async function findSchedule(rpc: CallRpc, userId: string, id: string): Promise<StoredSchedule> {
  const found = (await readSchedules(rpc, userId)).find((one) => one.id === id)
  if (!found) throw new ApiError('schedule_not_found')
  return found
}

const storedReply = z.union([
  z.object({ schedule: storedSchedule() }),
  z.object({ kind: z.literal('error'), code: z.string() }),
])

/** Throws ApiError for somebody else's agent, for one schedule too many, and for one that is never due. */
export async function addSchedule(
  rpc: CallRpc,
  userId: string,
  given: NewSchedule,
  language: Language,
): Promise<{ schedule: Schedule }> {
  const p_schedule = { ...given, nextAt: await requireNext(given) }
  const asked = rpc('add_schedule', { p_user_id: userId, p_schedule })
  const added = await askDatabase(asked, storedReply, 'not_stored')
  if ('kind' in added) throw beginRefused(added.code)
  return { schedule: await withTimes(added.schedule, language) }
}

/** Throws ApiError 404, and 400 for a schedule that would never be due. */
export async function changeSchedule(
  rpc: CallRpc,
  userId: string,
  id: string,
  { paused, ...change }: ScheduleChange,
  language: Language,
): Promise<{ schedule: Schedule }> {
  const before = await findSchedule(rpc, userId, id)
  const { message = before.message, cron = before.cron, timeZone = before.timeZone } = change
  const { until = before.until, missed = before.missed } = change
  const isMoved = cron !== before.cron || timeZone !== before.timeZone || until !== before.until
  const wasPaused = before.pausedAs === 'user' || before.pausedAs === 'failures'
  const isResumed = paused === false && wasPaused
  const goesOnItself = before.pausedAs !== null && !wasPaused
  const times = { cron, timeZone, until }
  const p_change = {
    ...times,
    message,
    missed,
    isPaused: paused ?? wasPaused,
    nextAt: isMoved
      ? await requireNext(times)
      : isResumed || goesOnItself
        ? await nextOf(times)
        : before.nextAt,
  }
  const asked = rpc('change_schedule', { p_user_id: userId, p_schedule_id: id, p_change })
  const changed = await askDatabase(asked, z.object({ schedule: storedSchedule() }).nullable(), 'not_stored')
  if (!changed) throw new ApiError('schedule_not_found')
  return { schedule: await withTimes(changed.schedule, language) }
}

/** From now on nothing of it is due. Throws ApiError 404. */
export async function deleteSchedule(rpc: CallRpc, userId: string, id: string): Promise<{ deleted: string }> {
  const asked = rpc('delete_schedule', { p_user_id: userId, p_schedule_id: id })
  if (await askDatabase(asked, z.boolean(), 'not_deleted')) return { deleted: id }
  throw new ApiError('schedule_not_found')
}

/** With its next times, in words. */
export async function withTimes(stored: StoredSchedule, language: Language): Promise<Schedule> {
  const { nextAt, timeZone } = stored
  const after = nextAt === null ? [] : ((await nextTimes(stored, new Date(nextAt), shownTimes - 1)) ?? [])
  const times = nextAt === null ? [] : [new Date(nextAt).toISOString(), ...after]
  return {
    ...stored,
    nextAt: times[0] ?? null,
    next: times.map((at) => ({ at, text: showDate(at, 'fullMoment', language.locale, timeZone) })),
  }
}

async function requireNext(times: Times): Promise<string> {
  const next = await nextOf(times)
  if (next === undefined) throw new ApiError('schedule_never_due', { cron: times.cron })
  return next
}

async function nextOf(times: Times): Promise<string | undefined> {
  const [next] = (await nextTimes(times, new Date(), 1)) ?? []
  return next
}
