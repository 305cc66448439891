import { FindRun } from './find-run.tsx'
import { FunctionOffers } from './function-offers.tsx'
import { StuckRuns } from './stuck-runs.tsx'
import { ToolSwitches } from './tool-switches.tsx'

/** What only operators see: how runs of everybody go, and what nobody can use. */
export default function OperatorArea({ titleOf }: { titleOf(tool: string): string }) {
  return (
    <section className="operator" aria-label="For operators">
      <div>
        <h2>For operators</h2>
        <p className="quiet small">
          All runs: events and times, never content. Everything you view or change is logged.
        </p>
      </div>
      <FindRun titleOf={titleOf} />
      <StuckRuns titleOf={titleOf} />
      <ToolSwitches />
      <FunctionOffers />
    </section>
  )
}
