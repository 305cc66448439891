import type { ToolError } from '../errors/tool-error.ts'
import type { Limits } from './agent-response.ts'
import type { Run } from './run.ts'

export const defaultLimits: Limits = {
  maxRounds: 10,
  maxAttempts: 3,
  toolTimeoutMs: 30_000,
  maxWaitMs: 10_000,
}

/** Attempts an intent has when it fails like this. */
export function attemptLimit(limits: Limits, error: ToolError): number {
  return Math.min(limits.maxAttempts, limits.attemptsByType?.[error.errorType] ?? limits.maxAttempts)
}

export function isOutOfTokens({ limits, memory }: Run): boolean {
  return limits.maxTotalTokens !== undefined && memory.tokens >= limits.maxTotalTokens
}
