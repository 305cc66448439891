import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { OperatorRun } from '../../../../client/api/types.ts'
import { showDate } from '../../../base/locale.ts'
import { useToast } from '../../../shell/toasts.tsx'
import { nameCode } from '../words.ts'
import { useOperatorCall } from './operator-calls.ts'
import { ReasonForm } from './reason-form.tsx'
import { Timeline } from './timeline.tsx'
import { operatorWords } from './words.ts'

/** A run with its timeline and a button to stop it. */
export function RunRow({ run, titleOf }: { run: OperatorRun; titleOf(tool: string): string }) {
  const { runId, status, startedAt, stoppable } = run
  const call = useOperatorCall()
  const queries = useQueryClient()
  const toast = useToast()
  const words = operatorWords()
  const [isOpen, setOpen] = useState(false)
  const [isStopping, setStopping] = useState(false)
  const [isStopped, setStopped] = useState(false)
  const stop = async (reason: string) => {
    await call('POST', `runs/${runId}/stop`, { reason })
    toast(words.runStopped)
    setStopping(false)
    setStopped(true)
    await queries.invalidateQueries({ queryKey: ['operator'] })
  }
  return (
    <>
      <div className="run-row">
        <div>
          <strong>{isStopped ? words.stopped : nameCode(status)}</strong>{' '}
          <span className="quiet small">{words.since(showDate(startedAt, 'moment'))}</span>
          <p className="quiet ids">{runId}</p>
        </div>
        <div className="actions">
          <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {words.timeline}
          </button>
          {stoppable && !isStopped && (
            <button type="button" className="danger" onClick={() => setStopping(true)}>
              {words.stop}
            </button>
          )}
        </div>
        {isStopping && (
          <ReasonForm action={words.stopThis} onSend={stop} onCancel={() => setStopping(false)} />
        )}
      </div>
      {isOpen && <Timeline run={run} titleOf={titleOf} />}
    </>
  )
}
