import { StartError } from '../process/start-error.ts'
import type { Environment } from '../settings/settings.ts'

/** Third parties that can be played on this machine, so that a newcomer can connect and use them. */
export type Simulated = 'google' | 'search'

const known: readonly Simulated[] = ['google', 'search']
/** What belongs to real accounts: beside these nothing is played. */
const realSettings: Readonly<Record<Simulated, readonly string[]>> = {
  google: ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'],
  search: [],
}
/**
 * Reads `ASKBACK_SIMULATE`, like `google,search`.
 * @throws {StartError} for a name that is not known, and beside a database or an account that may be a real one
 */
export function readSimulated(environment: Environment): Simulated[] {
  const names = (environment.ASKBACK_SIMULATE ?? '').split(',').map((name) => name.trim())
  const asked = names.filter((name) => name !== '')
  const unknown = asked.find((name) => !known.includes(name as Simulated))
  if (unknown !== undefined) {
    throw new StartError(`ASKBACK_SIMULATE names "${unknown}". It takes: ${known.join(', ')}.`)
  }
  const simulated = known.filter((name) => asked.includes(name))
  const real = ['DATABASE_URL', ...simulated.flatMap((name) => realSettings[name])].find(
    (name) => simulated.length > 0 && environment[name],
  )
  if (real !== undefined) {
    throw new StartError(
      `ASKBACK_SIMULATE is set beside ${real}. Simulated accounts are for a stack of their own: unset one of the two.`,
    )
  }
  return simulated
}
