import { Skeleton } from '../../../shell/skeleton.tsx'
import { ClockLine } from './clock-line.tsx'
import { Everyone } from './everyone.tsx'
import { FindRun } from './find-run.tsx'
import { FunctionOffers } from './function-offers.tsx'
import { Limits, useLimits } from './limits.tsx'
import { StuckRuns } from './stuck-runs.tsx'
import { ToolSwitches, useSharedTools } from './tool-switches.tsx'
import { operatorWords } from './words.ts'

/** For operators only: figures over all users, everybody's runs, and tools that are switched off. `days`: of the figures. */
export default function OperatorArea({ days, titleOf }: { days: number; titleOf(tool: string): string }) {
  const words = operatorWords()
  return (
    <section className="operator" aria-label={words.title}>
      <div>
        <h2>{words.title}</h2>
        <p className="quiet small">{words.note}</p>
        <ClockLine />
      </div>
      <Everyone days={days} titleOf={titleOf} />
      <FindRun titleOf={titleOf} />
      <StuckRuns titleOf={titleOf} />
      <Lists />
    </section>
  )
}

/** Shown once each of them that has another below it is loaded. */
function Lists() {
  if ([useSharedTools(), useLimits()].some(({ isLoading }) => isLoading)) return <Skeleton />
  return (
    <>
      <ToolSwitches />
      <Limits />
      <FunctionOffers />
    </>
  )
}
