import type { Intent } from '../../transcript/intent.ts'
import type { Limits } from './agent-response.ts'
import type { Run } from './run.ts'

/** Calls of one answer that are run. A model that asks for more is stuck, or has been told to flood. */
export const callsPerStep = 32

/** For callers that set none. The chat function sets its own times: `makeSettings` in `run-turn.ts`. */
export const defaultLimits: Limits = {
  maxRounds: 10,
  maxAttempts: 3,
  toolTimeoutMs: 30_000,
  lookTimeoutMs: 2_000,
  maxWaitMs: 10_000,
  approvalMs: 7 * 24 * 3_600_000,
}

/** True if an intent has used up its attempts, whose number may depend on its last error. */
export function isSpent({ maxAttempts, attemptsByType }: Limits, { attempts, errors }: Intent): boolean {
  const type = errors.at(-1)?.errorType
  return attempts >= Math.min(maxAttempts, (type && attemptsByType?.[type]) ?? maxAttempts)
}

export function isOutOfTokens({ limits, state }: Run): boolean {
  return limits.maxTotalTokens !== undefined && state.tokens >= limits.maxTotalTokens
}

/** Tokens that a reply of the model may take; `isCallers`: the caller set the limit, so a reply cut off there ends the run. */
export function replyLimit({ limits, model }: Run): { tokens: number | undefined; isCallers: boolean } {
  const own = model.sampling?.maxOutputTokens ?? limits.maxOutputTokens
  const { maxAnswerTokens: asked } = limits
  const isCallers = asked !== undefined && (own === undefined || asked <= own)
  return { tokens: isCallers ? asked : own, isCallers }
}

/** True if rounds or tokens are used up: the model may only say so. */
export function isUsedUp(run: Run): boolean {
  return run.state.rounds >= run.limits.maxRounds || isOutOfTokens(run)
}

/** The intents that have used up their attempts: the model may only say so. */
export function spentIntents({ limits, state }: Run): Intent[] {
  return state.intents.filter((intent) => isSpent(limits, intent))
}
