import type { ReactNode } from 'react'
import type { CallView } from './message-blocks.ts'
import { Foldable, hasFailed } from './tool-card.tsx'
import { describeRun } from './tool-line.tsx'
import { useToolNames } from './tool-names.tsx'

/** Calls of one tool that followed each other, in one line; on a click each by itself. */
export function ToolRun({ runs, children }: { runs: readonly (readonly CallView[])[]; children: ReactNode }) {
  const names = useToolNames()
  const calls = runs.flat()
  const ends = runs.flatMap((attempts) => attempts.at(-1) ?? [])
  return (
    <Foldable
      calls={calls}
      receipts={[]}
      state={ends.some((call) => call.state !== 'done' || hasFailed(call)) ? 'failed' : 'done'}
      title={names.title(calls[0]?.toolName ?? '')}
      line={describeRun(ends)}
    >
      {children}
    </Foldable>
  )
}
