import { findDeno } from '../../local/functions/deno-binary.ts'
import { hostedDeno } from '../../scripts/platform.ts'
import { signUpForMcp, startMcpProcess } from '../../support/mcp-process.ts'
import type { TestStack } from '../../support/stack.ts'
import { startRoundRobin } from './round-robin.ts'
import { type Outcome, revisions, runSuite } from './suite.ts'

/**
 * Runs the frozen sets of the conformance suite against our transport with the tools that the suite expects, and prints what
 * each counts. Resolves to whether every scenario of them has passed something and failed nothing.
 */
export async function runConformance(stack: TestStack, signal: AbortSignal): Promise<boolean> {
  const { token } = await signUpForMcp(stack)
  const processes = await Promise.all(
    [findDeno(), hostedDeno].map((deno) => startMcpProcess(stack, deno, signal)),
  )
  const gateway = await startRoundRobin(processes, token.value)
  let isWhole = true
  for (const revision of revisions) {
    isWhole = report(revision, await runSuite(revision, `${gateway.url}/mcp`)) && isWhole
  }
  await gateway.close()
  return isWhole
}

/** A scenario that crashed has failed nothing. */
function hasPassed({ passed, failed }: Outcome): boolean {
  return passed > 0 && failed === 0
}

/** Prints what a set counts. False unless every scenario of it has passed something and failed nothing. */
export function report(revision: string, outcomes: readonly Outcome[]): boolean {
  const required = outcomes.filter(({ isRequired }) => isRequired)
  const others = outcomes.filter(({ isRequired }) => !isRequired)
  const checks = required.reduce((sum, { passed }) => sum + passed, 0)
  for (const outcome of outcomes.filter((one) => !hasPassed(one))) {
    const { scenario, isRequired, passed, failed } = outcome
    console.log(`${isRequired ? 'FAILED' : 'not counted'} ${scenario}: ${passed} passed, ${failed} failed`)
  }
  console.log(
    `${revision}: ${required.filter(hasPassed).length} of ${required.length} scenarios, ${checks} checks; of those that are not counted ${others.filter(hasPassed).length} of ${others.length}`,
  )
  return required.every(hasPassed)
}
