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
 * RPCs of which the first stores the rules, where they also hold for the clock, for API tokens and over the Data API; the
 * others wait for it. So a changed setting needs no further step, and nothing happens under the earlier one: as long as the
 * rules cannot be stored, every call rejects as that does (DatabaseError), and the next one tries again.
 */
export function underRules(rpc: CallRpc, rules: ProjectRules): CallRpc {
  let stored: Promise<unknown> | undefined
  const store = () => {
    stored ??= rpc('keep_rules', { p_rules: rules }).catch((error) => {
      stored = undefined
      writeLog('rules-not-kept', {}, error)
      throw error
    })
    return stored
  }
  return async (name, args) => {
    await store()
    return await rpc(name, args)
  }
}

function readSwitch(env: Environment, name: string, otherwise: boolean): boolean {
  const value = env[name]?.trim().toLowerCase()
  if (!value) return otherwise
  if (value === 'yes' || value === 'true') return true
  if (value === 'no' || value === 'false') return false
  throw new Error(`${name} is ${JSON.stringify(env[name])}. Set it to yes or no.`)
}
