import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { showDate } from '../../../../client/locale.ts'
import { labelOf } from '../../../../client/sentence.ts'
import { useToast } from '../../../shell/toasts.tsx'
import { type RunFacts, useOperatorCall } from './operator-calls.ts'
import { ReasonForm } from './reason-form.tsx'
import { Timeline } from './timeline.tsx'

/** A run, what happened in it, and the way to end it. */
export function RunRow({ run, titleOf }: { run: RunFacts; titleOf(tool: string): string }) {
  const { runId, status, startedAt, stoppable } = run
  const call = useOperatorCall()
  const queries = useQueryClient()
  const toast = useToast()
  const [isOpen, setOpen] = useState(false)
  const [isStopping, setStopping] = useState(false)
  const [isStopped, setStopped] = useState(false)
  const stop = async (reason: string) => {
    await call('POST', `runs/${runId}/stop`, { reason })
    toast('Run stopped.')
    setStopping(false)
    setStopped(true)
    await queries.invalidateQueries({ queryKey: ['operator'] })
  }
  return (
    <>
      <div className="run-row">
        <div>
          <strong>{isStopped ? 'Stopped' : labelOf(status)}</strong>{' '}
          <span className="quiet small">since {showDate(startedAt, 'moment')}</span>
          <p className="quiet ids">{runId}</p>
        </div>
        <div className="actions">
          <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            Timeline
          </button>
          {stoppable && !isStopped && (
            <button type="button" className="danger" onClick={() => setStopping(true)}>
              Stop it
            </button>
          )}
        </div>
        {isStopping && (
          <ReasonForm action="Stop this run" onSend={stop} onCancel={() => setStopping(false)} />
        )}
      </div>
      {isOpen && <Timeline run={run} titleOf={titleOf} />}
    </>
  )
}
