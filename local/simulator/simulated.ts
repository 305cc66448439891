import { StartError } from '../process/start-error.ts'
import type { Environment } from '../settings/settings.ts'

/** Third parties that can be simulated on this machine, so that newcomers can try connecting to them. */
export type Simulated = 'google' | 'search'

const known: readonly Simulated[] = ['google', 'search']
/** Settings of real accounts: next to these nothing is simulated. */
const realSettings: Readonly<Record<Simulated, readonly string[]>> = {
  google: ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'],
  search: [],
}

/**
 * Reads `ASKBACK_SIMULATE`, like `google,search`; undefined if it is not set.
 * @throws {StartError} for an unknown name, and when the settings name a database or account that may be real
 */
export function readSimulated(environment: Environment): Simulated[] | undefined {
  if (environment.ASKBACK_SIMULATE === undefined) return undefined
  const names = environment.ASKBACK_SIMULATE.split(',').map((name) => name.trim())
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

/** What the demo simulates unless it is told: everything that the settings name no real account for. */
export function simulatedInDemo(environment: Environment): Simulated[] {
  if (environment.DATABASE_URL) return []
  return known.filter((name) => !realSettings[name].some((setting) => environment[setting]))
}
