import { z } from 'zod'
import { once } from '../engine/core/once.ts'
import { id, optional, withWords } from './field-words.ts'
import { readTimeZone } from './reader.ts'
import { defineRoute } from './route.ts'

// Schedules: messages that the clock sends to an agent, as its user.

const cron = withWords(
  z
    .string()
    .trim()
    .max(200)
    .regex(/^\S+(?:\s+\S+){4}$/),
  {
    expected: 'a cron expression of five parts, such as "0 9 * * 1-5"',
  },
)
  .describe('Minute, hour, day of the month, month, day of the week.')
  .meta({ examples: ['0 9 * * 1-5'] })

const timeZone = withWords(
  z
    .string()
    .min(1)
    .max(100)
    .refine((name) => readTimeZone(name) !== undefined),
  {
    expected: 'the name of a time zone, such as "Europe/Berlin"',
  },
)
  .describe('The IANA time zone in which the expression is read.')
  .meta({ examples: ['Europe/Berlin'] })

const moment = withWords(
  z.iso.datetime({ offset: true }).transform((text) => new Date(text).toISOString()),
  { expected: 'a time in ISO 8601, such as "2027-01-31T18:00:00Z"' },
)

const message = withWords(z.string().trim().min(1).max(10_000), {
  expected: 'a text of at most 10,000 characters',
})

/** Schedules of one user (SQL `add_schedule`). */
export const mostSchedules = 100

const missed = z
  .enum(['run', 'skip'])
  .describe(
    'What becomes of a time for which the clock was more than ten minutes late: it is carried out once (`run`), or left out (`skip`).',
  )

export const newSchedule = z
  .object({
    agentId: optional(withWords(id(), { expected: 'the id of an agent' })).describe(
      'By default your oldest agent.',
    ),
    message: message.describe('What is sent to the agent each time, as your message.'),
    cron,
    timeZone,
    until: optional(moment).describe('After this time the schedule is over. ISO 8601.'),
    missed: missed.default('run'),
  })
  .meta({ id: 'NewSchedule' })
export type NewSchedule = z.output<typeof newSchedule>

export const scheduleChange = z
  .object({
    message: optional(message),
    cron: optional(cron),
    timeZone: optional(timeZone),
    until: moment.nullable().optional().describe('`null`: it has no end.'),
    missed: optional(missed),
    paused: optional(z.boolean()).describe('`true` pauses it, `false` resumes it.'),
  })
  .meta({ id: 'ScheduleChange' })
export type ScheduleChange = z.output<typeof scheduleChange>

const scheduleTime = once(() =>
  z
    .strictObject({
      dueAt: z.string().describe('ISO 8601.'),
      outcome: z
        .enum(['begun', 'open', 'missed', 'refused'])
        .describe(
          '`open`: left out, since the run before it was still at work or waited for somebody. `missed`: left out, since the clock was late. `refused`: no run could begin.',
        ),
      code: z.string().nullable().describe('Why it was refused.'),
      runId: z.string().nullable(),
      status: z.string().nullable().describe('Of its run, as in answers.'),
    })
    .meta({ id: 'ScheduleTime', description: 'What became of one time of a schedule.' }),
)

/** As the database returns it. */
export const storedSchedule = once(() =>
  z.strictObject({
    id: z.string(),
    agentId: z.string(),
    conversationId: z.string().describe('All of its runs are in this conversation.'),
    message: z.string(),
    cron: z.string(),
    timeZone: z.string(),
    until: z.string().nullable(),
    missed,
    nextAt: z
      .string()
      .nullable()
      .describe('When it is due next; null while it is paused, and once it is over.'),
    pausedAt: z.string().nullable(),
    pausedAs: z
      .enum(['user', 'failures', 'account', 'connection'])
      .nullable()
      .describe(
        'Who has paused it; `failures`: three times in a row failed; `account`: your account was disabled, until shortly after it is enabled again; `connection`: an account that it needs is missing, until it is connected or its item is skipped.',
      ),
    createdAt: z.string(),
    runs: z.number().int().describe('How often a run of it has begun.'),
    history: z.array(scheduleTime()).describe('The newest 20 times, newest first.'),
  }),
)
export type StoredSchedule = z.output<ReturnType<typeof storedSchedule>>

export const schedule = once(() =>
  storedSchedule()
    .extend({
      next: z
        .array(z.strictObject({ at: z.string(), text: z.string() }))
        .describe('Its next three times, in words for whoever asks, in the time zone of the schedule.'),
    })
    .meta({ id: 'Schedule', description: 'A message that the clock sends to an agent, as its user.' }),
)
export type Schedule = z.output<ReturnType<typeof schedule>>

const group = 'Schedules'
const params = z.object({ id: withWords(id(), { refusal: 'schedule_not_found' }) })
const one = once(() => z.strictObject({ schedule: schedule() }))

export const listSchedules = defineRoute({
  method: 'GET',
  path: '/chat/schedules',
  group,
  summary: 'List your schedules',
  caller: 'user',
  answer: once(() => z.strictObject({ schedules: z.array(schedule()) })),
})

export const addSchedule = defineRoute({
  method: 'POST',
  path: '/chat/schedules',
  group,
  summary: 'Send a message to an agent at the times of a cron expression',
  notes:
    'Its runs have the agent’s permissions and your limits, nothing more. What needs you waits as an open item. A time that comes while the run before it is still open is left out, and is in the history.',
  caller: 'user',
  decides: true,
  body: newSchedule,
  status: 201,
  answer: one,
  refusals: ['agent_not_found', 'too_many_schedules', 'schedule_never_due'],
})

export const changeSchedule = defineRoute({
  method: 'PATCH',
  path: '/chat/schedules/:id',
  group,
  summary: 'Change, pause or resume a schedule',
  notes: 'After three failures in a row a schedule pauses itself.',
  caller: 'user',
  decides: true,
  params,
  body: scheduleChange,
  answer: one,
  refusals: ['schedule_not_found', 'schedule_never_due'],
})

export const deleteSchedule = defineRoute({
  method: 'DELETE',
  path: '/chat/schedules/:id',
  group,
  summary: 'Delete a schedule',
  notes: 'Its conversation stays.',
  caller: 'user',
  params,
  answer: () => z.strictObject({ deleted: z.string() }),
  refusals: ['schedule_not_found'],
})

export const runSchedule = defineRoute({
  method: 'POST',
  path: '/chat/schedules/:id/run',
  group,
  summary: 'Run a schedule now',
  notes: 'Its next time stays as it is. It answers once the run has begun. The request needs no body.',
  caller: 'user',
  params,
  status: 202,
  answer: one,
  refusals: ['schedule_not_found', 'schedule_open', 'limit_reached'],
})
