import { fileURLToPath } from 'node:url'
import { report } from './conformance.ts'
import { revisions, runClientSuite } from './suite.ts'

const program = fileURLToPath(new URL('client-fixture.ts', import.meta.url))

/** Runs the frozen sets of the conformance suite against our client, and prints what each counts. */
export async function runClientConformance(): Promise<boolean> {
  let isWhole = true
  for (const revision of revisions) {
    isWhole = report(`${revision}, client`, await runClientSuite(revision, program)) && isWhole
  }
  return isWhole
}
