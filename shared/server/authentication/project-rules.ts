import type { CallRpc } from '../database/call-rpc.ts'
import { writeLog } from '../log/log-line.ts'
import type { Environment } from './project-settings.ts'

/** What a project asks of everybody's account. */
export interface ProjectRules {
  /** Whether anonymous users may act: `ASKBACK_ANONYMOUS`, yes by default. */
  anonymous: boolean
  /** Whether deciding, granting, connecting, making tokens and deleting takes a second factor: `ASKBACK_REQUIRE_AAL2`. */
  requireAal2: boolean
}

/** Throws a plain Error for a value that is neither yes nor no: a misspelled rule must not be off. */
export function readProjectRules(env: Environment): ProjectRules {
  return {
    anonymous: readSwitch(env, 'ASKBACK_ANONYMOUS', true),
    requireAal2: readSwitch(env, 'ASKBACK_REQUIRE_AAL2', false),
  }
}

/**
 * Stores the rules where they also hold for the clock, for API tokens and over the Data API. Each function that starts
 * does this, so that a changed setting needs no further step; it never fails.
 */
export async function keepRules(rpc: CallRpc, rules: ProjectRules): Promise<void> {
  await rpc('keep_rules', { p_rules: rules }).catch((error) => writeLog('rules-not-kept', {}, error))
}

function readSwitch(env: Environment, name: string, otherwise: boolean): boolean {
  const value = env[name]?.trim().toLowerCase()
  if (!value) return otherwise
  if (value === 'yes' || value === 'true') return true
  if (value === 'no' || value === 'false') return false
  throw new Error(`${name} is ${JSON.stringify(env[name])}. Set it to yes or no.`)
}
