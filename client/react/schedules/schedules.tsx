import { type ReactNode, useCallback, useEffect, useState } from 'react'
import type { AgentModel } from '../../api/api-token.ts'
import type { NewSchedule, Schedule } from '../../api/types.ts'
import type { Askback } from '../../askback.ts'
import { describeFailure } from '../../labels/failure.ts'
import { Problem } from '../forms/problem.tsx'
import { useLabels } from '../labels/use-labels.ts'
import { useScheduleLabels } from '../labels/use-schedule-labels.ts'
import type { ShowNote } from '../settings/show-note.ts'
import { ScheduleForm } from './schedule-form.tsx'
import { ScheduleList } from './schedule-list.tsx'

/** Milliseconds between two looks at a run that works. */
const workingMs = 2000

/** Whether its newest run has not ended yet. */
function isAtWork({ history: [newest] }: Schedule): boolean {
  return newest?.status === 'running' || newest?.status === 'stopping'
}

/** Agents that begin by the clock: a form for a new schedule, and all that there are. */
export function Schedules({
  askback,
  loading,
  hrefOf,
  onOpen,
  onNote,
}: {
  askback: Askback
  /** Shown until they are loaded. */
  loading?: ReactNode
  /** Where a conversation is in the app; without it, nothing leads there. */
  hrefOf?: (conversationId: string) => string
  /** Opens it without loading a page. */
  onOpen?: (conversationId: string) => void
  onNote: ShowNote
}) {
  const labels = useLabels()
  const words = useScheduleLabels()
  const [schedules, setSchedules] = useState<readonly Schedule[]>()
  const [agents, setAgents] = useState<readonly AgentModel[]>([])
  const [problem, setProblem] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState('')

  const refresh = useCallback(async () => {
    try {
      const [listed, known] = await Promise.all([askback.schedules.list(), askback.tokens.models()])
      setSchedules(listed)
      setAgents(known)
      setProblem(undefined)
    } catch (error) {
      setProblem(error)
    }
  }, [askback])
  useEffect(() => void refresh(), [refresh])
  // A run that works comes to its end.
  useEffect(() => {
    if (!schedules?.some(isAtWork)) return
    const timer = setTimeout(refresh, workingMs)
    return () => clearTimeout(timer)
  }, [schedules, refresh])

  const add = async (schedule: NewSchedule): Promise<boolean> => {
    setBusy(true)
    setFailure('')
    try {
      await askback.schedules.add(schedule)
      return true
    } catch (error) {
      setFailure(describeFailure(error, labels))
      return false
    } finally {
      // Also if only the response was lost.
      await refresh()
      setBusy(false)
    }
  }
  const act = async (work: Promise<unknown>, done?: string) => {
    try {
      await work
      if (done) onNote(done, 'done')
    } catch (error) {
      onNote(describeFailure(error, labels), 'failed')
    }
    await refresh()
  }

  return (
    <div className="askback-settings">
      <Problem>{problem === undefined ? undefined : describeFailure(problem, labels)}</Problem>
      <ScheduleForm agents={agents} isBusy={isBusy} failure={failure} onAdd={add} />
      {!schedules && problem === undefined && loading}
      {schedules && (
        <ScheduleList
          schedules={schedules}
          agents={agents}
          hrefOf={hrefOf}
          onOpen={onOpen}
          onRun={({ id }) => void act(askback.schedules.run(id), words.begun)}
          onPause={({ id }, paused) => void act(askback.schedules.change(id, { paused }))}
          onDelete={({ id }) => void act(askback.schedules.delete(id), words.removed)}
        />
      )}
    </div>
  )
}
