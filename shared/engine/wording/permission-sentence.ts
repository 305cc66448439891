import type { Permission } from '../core/permission.ts'

const times: Record<Permission['per'], string> = { minute: 'a minute', hour: 'an hour', day: 'a day' }

/** Why it is asked about although it is permitted. */
export function spentSentence({ pattern, max, per }: Omit<Permission, 'path'>): string {
  return `What you allow without asking (${pattern}, ${max} ${times[per]}) is used up.`
}
