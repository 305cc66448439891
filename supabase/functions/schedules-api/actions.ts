import { z } from 'zod'
import { readTimeZone } from '../../../shared/api/reader.ts'
import { mostSchedules, storedSchedule } from '../../../shared/api/schedule.ts'
import { sha256 } from '../../../shared/engine/core/sha256.ts'
import { Question, saidError, ToolCallError } from '../../../shared/engine/core/tool-error.ts'
import {
  type Environment,
  readProjectAccess,
} from '../../../shared/server/authentication/project-settings.ts'
import { askDatabase } from '../../../shared/server/database/ask-database.ts'
import { createRpc } from '../../../shared/server/database/call-rpc.ts'
import type {
  Implementation,
  IntegrationAction,
} from '../../../shared/server/integration-function/integration-action.ts'
import { readersLanguage } from '../../../shared/server/reader/readers-language.ts'
import { nextTimes, shownTimes, type Times } from '../../../shared/server/schedules/next-times.ts'
import { showDate } from '../../../shared/words/locale.ts'
import { createSchedule, deleteSchedule, listSchedules } from './integration.ts'
import type { CreateParameters, DeleteParameters } from './parameters.ts'

const reader = z.object({ timezone: z.string().nullish() })
const added = z.union([
  z.object({ schedule: storedSchedule() }),
  z.object({ kind: z.literal('error'), code: z.string() }),
])

/** The actions of this function. */
export function createActions(env: Environment): Implementation {
  const { url, serviceKey } = readProjectAccess(env)
  const rpc = createRpc({ url, serviceKey })
  const list = (userId: string) =>
    askDatabase(rpc('list_schedules', { p_user_id: userId }), z.array(storedSchedule()))
  const find = async (userId: string, id: string) => (await list(userId)).find((one) => one.id === id)

  /** The zone that was named, or else the user's. */
  const zoneOf = async (userId: string, named: string | undefined): Promise<string> => {
    const timeZone =
      named ?? (await askDatabase(rpc('reader_of', { p_user_id: userId }), reader)).timezone ?? 'UTC'
    if (readTimeZone(timeZone) !== undefined) return timeZone
    throw new Question({ code: 'time_zone_unknown', values: { timeZone } }, { parameter: 'time_zone' })
  }

  /** In the user's own language. */
  const inWords = async (userId: string, times: readonly string[], timeZone: string): Promise<string[]> => {
    const { locale } = await readersLanguage(rpc, userId)
    return times.map((at) => showDate(at, 'fullMoment', locale, timeZone))
  }

  const create: IntegrationAction<CreateParameters> = {
    tool: createSchedule,
    // The next times are on the card. That they pass meanwhile changes nothing.
    compare: () => [],
    async look({ cron, time_zone, until }, { userId }) {
      const timeZone = await zoneOf(userId, time_zone)
      const times = await requireTimes({ cron, timeZone, until })
      const next = (await inWords(userId, times, timeZone)).join('; ')
      return { seen: { next }, fixed: { time_zone: timeZone } }
    },
    async run({ message, cron, time_zone, until }, { userId, agentId, idempotencyKey, effectBegins }) {
      const timeZone = await zoneOf(userId, time_zone)
      const times = await requireTimes({ cron, timeZone, until })
      const id = await idOf(idempotencyKey)
      const others = (await list(userId)).filter((one) => one.id !== id)
      if (others.length >= mostSchedules) throw schedulesFull()
      effectBegins()
      const p_schedule = { id, agentId, message, cron, timeZone, until, missed: 'run', nextAt: times[0] }
      const answer = await askDatabase(rpc('add_schedule', { p_user_id: userId, p_schedule }), added)
      if ('kind' in answer) throw nothingDone(answer.code)
      return { id, next: await inWords(userId, times, timeZone), time_zone: timeZone }
    },
    // Made again with this key it is the same schedule.
    async verify(_, { userId, idempotencyKey }) {
      return (await find(userId, await idOf(idempotencyKey))) ? 'sent' : 'unknown'
    },
  }

  const listing: IntegrationAction = {
    tool: listSchedules,
    async run(_, { userId }) {
      const schedules = await list(userId)
      return {
        schedules: await Promise.all(
          schedules.map(async ({ id, message, cron, timeZone, until, nextAt, pausedAs }) => ({
            ...{ id, message, cron, time_zone: timeZone },
            ...(until === null ? {} : { until }),
            ...(nextAt === null ? {} : { next: (await inWords(userId, [nextAt], timeZone))[0] }),
            ...(pausedAs === null ? {} : { paused: pausedAs }),
          })),
        ),
      }
    },
  }

  const remove: IntegrationAction<DeleteParameters> = {
    tool: deleteSchedule,
    async look({ schedule_id }, { userId }) {
      const found = await find(userId, schedule_id)
      return found && { seen: { message: found.message, cron: found.cron } }
    },
    async run({ schedule_id }, { userId, requireUnchanged, effectBegins }) {
      const found = await find(userId, schedule_id)
      if (!found) throw noSuchSchedule()
      requireUnchanged?.({ message: found.message, cron: found.cron })
      effectBegins()
      const asked = rpc('delete_schedule', { p_user_id: userId, p_schedule_id: schedule_id })
      if (!(await askDatabase(asked, z.boolean()))) throw nothingDone('schedule_not_found')
      return { id: schedule_id, message: found.message }
    },
    async verify({ schedule_id }, { userId }) {
      return (await find(userId, schedule_id)) ? 'unknown' : 'sent'
    },
  }

  return { actions: [create, listing, remove] as readonly IntegrationAction[] }
}

async function requireTimes(times: Times): Promise<string[]> {
  const next = (await nextTimes(times, new Date(), shownTimes)) ?? []
  if (next.length > 0) return next
  const { cron } = times
  throw new Question({ code: 'times_never_come', values: { cron } }, { parameter: 'cron' })
}

function noSuchSchedule(): Question {
  return new Question({ code: 'no_such_schedule' }, { parameter: 'schedule_id' })
}

function schedulesFull(): ToolCallError {
  return new ToolCallError(
    saidError(
      'quota_exceeded',
      { code: 'schedules_full', values: { most: mostSchedules } },
      { resolver: 'user' },
    ),
  )
}

/** What the database refuses after all has not happened: the status says so. */
function nothingDone(code: string): Error {
  return Object.assign(new Error(code), { status: 409 })
}

/** One key makes one schedule, however often its call arrives. */
async function idOf(idempotencyKey: string): Promise<string> {
  const hash = await sha256(`schedule:${idempotencyKey}`)
  return hash.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5')
}
