import { doubtfulValues } from '../../provenance/check-provenance.ts'
import { saidPattern } from '../../provenance/said-pattern.ts'
import { sourcedValues } from '../../provenance/sourced-values.ts'
import type { RoundCall } from '../run/round-call.ts'
import type { Run } from '../run/run.ts'
import { evidenceOf } from './evidence-of.ts'

/**
 * Looks for the values of calls that nothing in the transcript knows where the user may have said them before it begins.
 * If that fails they stay unknown, and the user is asked.
 */
export async function recallSaid(run: Run, calls: readonly RoundCall[]): Promise<void> {
  const { findSaid, saidBefore } = run
  if (!findSaid) return
  for (const { call, specification } of calls) {
    if (!specification || typeof call.input !== 'object' || call.approved) continue
    if (sourcedValues(specification.parameters, call.input).length === 0) continue
    const doubtful = doubtfulValues(specification, call.input, evidenceOf(run), run.user)
    for (const pattern of new Set(doubtful.map(saidPattern))) {
      if (pattern === undefined || saidBefore.has(pattern)) continue
      saidBefore.set(pattern, await findSaid(pattern).catch(() => []))
    }
  }
}
