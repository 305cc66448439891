import type { ReactNode } from 'react'
import { useLabels } from '../labels/use-labels.ts'
import type { CallView } from './call-view.ts'
import { hasFailed } from './failed-parts.ts'
import { FoldableCall } from './foldable-call.tsx'
import { describeRun } from './tool-line.ts'

/** Consecutive calls of one tool in one line; a click shows each of them. */
export function ToolRun({ runs, children }: { runs: readonly (readonly CallView[])[]; children: ReactNode }) {
  const labels = useLabels()
  const calls = runs.flat()
  const ends = runs.flatMap((attempts) => attempts.at(-1) ?? [])
  return (
    <FoldableCall
      calls={calls}
      receipts={[]}
      state={ends.some(({ state, output }) => state !== 'done' || hasFailed(output)) ? 'failed' : 'done'}
      toolName={calls[0]?.toolName ?? ''}
      line={describeRun(ends, labels)}
    >
      {children}
    </FoldableCall>
  )
}
