import type { Subject } from './subject.ts'

/** What our tools for schedules ask and tell. */
export const schedules = {
  en: {
    times_never_come: ({ values: { cron } }) =>
      `When should it be done? "${cron}" would never be due. Please provide a cron expression of five parts: minute, hour, day of the month, month, day of the week.`,
    time_zone_unknown: ({ values: { timeZone } }) =>
      `In which time zone? There is none called "${timeZone}". Please provide a name such as Europe/Berlin.`,
    no_such_schedule: () => 'Which schedule is meant? There is none with this id.',
    schedules_full: ({ values: { most } }) =>
      `Which schedule should be deleted first? There are ${most} already, and no more are possible.`,
  },
  de: {
    times_never_come: ({ values: { cron }, show }) =>
      `Wann soll das geschehen? Eine solche Zeit wie ${show.value(cron) ?? '–'} kommt nie vor.`,
    time_zone_unknown: ({ values: { timeZone }, show }) =>
      `In welcher Zeitzone? ${show.value(timeZone) ?? '–'} gibt es nicht; es muss ein Name sein wie Europe/Berlin.`,
    no_such_schedule: () => 'Welcher Zeitplan ist gemeint? Diesen gibt es nicht.',
    schedules_full: ({ values: { most } }) =>
      `Welcher Zeitplan soll zuerst gelöscht werden? Es gibt schon ${most}, und mehr sind nicht möglich.`,
  },
} satisfies Subject<'times_never_come' | 'time_zone_unknown' | 'no_such_schedule' | 'schedules_full'>
