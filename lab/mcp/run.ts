/**
 * `npm run lab -- mcp`: the conformance suite of MCP against our transport, in two processes on both Denos that take turns,
 * with the tools that the suite expects. Prints what each frozen set counts; exit code 1 unless every scenario of them has
 * passed something and failed nothing. Linux on x64 only.
 */
import { findDeno } from '../../local/functions/deno-binary.ts'
import { hostedDeno } from '../../scripts/platform.ts'
import { signUpForMcp, startMcpProcess } from '../../support/mcp-process.ts'
import { startStack } from '../../support/stack.ts'
import { startRoundRobin } from './round-robin.ts'
import { installSuite, type Outcome, revisions, runSuite } from './suite.ts'

await installSuite()
const stop = new AbortController()
const stack = await startStack()
try {
  const { token } = await signUpForMcp(stack)
  const processes = await Promise.all(
    [findDeno(), hostedDeno].map((deno) => startMcpProcess(stack, deno, stop.signal)),
  )
  const gateway = await startRoundRobin(
    processes.map(({ port }) => port),
    token.value,
  )
  for (const revision of revisions) {
    const outcomes = await runSuite(revision, `${gateway.url}/mcp`)
    report(revision, outcomes)
    if (outcomes.some((outcome) => outcome.isRequired && !hasPassed(outcome))) process.exitCode = 1
  }
  await gateway.close()
} finally {
  stop.abort()
  await stack.stop()
}

/** A scenario that crashed has failed nothing. */
function hasPassed({ passed, failed }: Outcome): boolean {
  return passed > 0 && failed === 0
}

function report(revision: string, outcomes: readonly Outcome[]): void {
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
}
