import type { Permission } from '../core/permission.ts'

const times: Record<Permission['per'], string> = { minute: 'a minute', hour: 'an hour', day: 'a day' }

/**
 * A standing permission in one sentence, as its user is offered it.
 *
 * @example
 * offerSentence({ path: 'to', pattern: '*@acme.com', max: 20, per: 'day' }, 'Send email')
 * // => 'Let this agent send to *@acme.com without asking, up to 20 a day?'
 */
export function offerSentence({ path, pattern, max, per }: Permission, title: string): string {
  const what = path === 'to' ? `send to ${pattern}` : `use "${title}" with ${pattern}`
  return `Let this agent ${what} without asking, up to ${max} ${times[per]}?`
}

/** Why it is asked about although it is permitted. */
export function spentSentence({ pattern, max, per }: Omit<Permission, 'path'>): string {
  return `What you allow without asking (${pattern}, ${max} ${times[per]}) is used up.`
}
