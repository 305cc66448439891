/** How often a schedule repeats, as its form asks. */
export const repeats = ['weekdays', 'daily', 'weekly', 'monthly', 'custom'] as const
export type Repeats = (typeof repeats)[number]

/**
 * The cron expression of what was chosen. `time`: `HH:MM`; `day`: of the week (0 is Sunday) or of the month.
 *
 * @example
 * toCron('weekly', '09:05', '1') // => '5 9 * * 1'
 */
export function toCron(repeat: Exclude<Repeats, 'custom'>, time: string, day: string): string {
  const [hour = 9, minute = 0] = time.split(':').map(Number)
  const days = {
    weekdays: '* * 1-5',
    daily: '* * *',
    weekly: `* * ${day}`,
    monthly: `${day} * *`,
  }[repeat]
  return `${minute} ${hour} ${days}`
}
