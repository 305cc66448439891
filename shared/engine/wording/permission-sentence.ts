import type { Permission } from '../core/permission.ts'

const times: Record<Permission['per'], string> = { minute: 'a minute', hour: 'an hour', day: 'a day' }

/**
 * A standing permission in one sentence, as its user gives it.
 *
 * @example
 * permissionSentence({ path: 'to', pattern: '*@acme.com', max: 20, per: 'day' }, 'Send email')
 * // => 'May send to *@acme.com, 20 a day, without asking.'
 */
export function permissionSentence({ path, pattern, max, per }: Permission, title: string): string {
  const what = path === 'to' ? `send to ${pattern}` : `use "${title}" with ${pattern}`
  return `May ${what}, ${max} ${times[per]}, without asking.`
}

/** Why it is asked about although it is permitted. */
export function spentSentence({ pattern, max, per }: Omit<Permission, 'path'>): string {
  return `What you allow without asking (${pattern}, ${max} ${times[per]}) is used up.`
}
