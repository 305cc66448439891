import * as z from 'zod'

export const createParameters = z.strictObject({
  message: z
    .string()
    .trim()
    .min(1)
    .max(10_000)
    .meta({
      title: 'message',
      short: 'what',
      description: 'What is to be done each time, as the user would write it.',
      question: 'What should be done each time?',
      hint: 'Please say it as you would in a chat.',
      examples: ['Read my new mail.'],
      aliases: ['task', 'prompt', 'text', 'instruction'],
    }),
  cron: z
    .string()
    .trim()
    .max(200)
    .regex(/^\S+(?:\s+\S+){4}$/)
    .meta({
      title: 'times',
      short: 'when',
      description: 'Minute, hour, day of the month, month, day of the week (1 is Monday).',
      question: 'When should it be done?',
      hint: 'Please provide a cron expression of five parts, such as 0 9 * * 1-5 for nine o’clock on weekdays.',
      examples: ['0 9 * * 1-5'],
      aliases: ['schedule', 'cron_expression', 'expression', 'times'],
    }),
  time_zone: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .meta({
      title: 'time zone',
      description: 'An IANA time zone; the user’s own, if left out.',
      question: 'In which time zone?',
      hint: 'Please provide its name, such as Europe/Berlin.',
      examples: ['Europe/Berlin'],
      aliases: ['timezone', 'timeZone', 'tz'],
    }),
  until: z
    .string()
    .optional()
    .meta({
      title: 'end',
      format: 'date-time',
      description: 'Nothing is done after it; it has no end, if left out.',
      question: 'When should it end?',
      hint: 'Please provide a date and a time.',
      examples: ['2027-01-31T18:00:00Z'],
      aliases: ['end', 'ends_at', 'end_date'],
    }),
})
export type CreateParameters = z.infer<typeof createParameters>

export const listParameters = z.strictObject({})

export const deleteParameters = z.strictObject({
  schedule_id: z.uuid().meta({
    title: 'schedule',
    description: 'Its id, as schedules_list returns it.',
    question: 'Which schedule should be deleted?',
    hint: 'Please say what it does; a list of the schedules has its id.',
    aliases: ['id', 'schedule'],
  }),
})
export type DeleteParameters = z.infer<typeof deleteParameters>
