import { type MouseEvent, useRef, useState } from 'react'
import { showDate } from '../../../shared/words/locale.ts'
import type { AgentModel } from '../../api/api-token.ts'
import type { Schedule } from '../../api/types.ts'
import { stateOf } from '../labels/schedule-state.ts'
import { useLabels } from '../labels/use-labels.ts'
import { useScheduleLabels } from '../labels/use-schedule-labels.ts'
import { AskFirst } from '../settings/ask-first.tsx'

/** Existing schedules: when they are due, what became of their times, and what can be done with them. */
export function ScheduleList({
  schedules,
  agents,
  hrefOf,
  onOpen,
  onRun,
  onPause,
  onDelete,
}: {
  schedules: readonly Schedule[]
  agents: readonly AgentModel[]
  /** Without it, nothing leads to the conversation. */
  hrefOf: ((conversationId: string) => string) | undefined
  onOpen: ((conversationId: string) => void) | undefined
  onRun(schedule: Schedule): void
  /** Pauses or resumes it. */
  onPause(schedule: Schedule, paused: boolean): void
  onDelete(schedule: Schedule): void
}) {
  const words = useScheduleLabels()
  const [asked, setAsked] = useState<Schedule>()
  const heading = useRef<HTMLHeadingElement>(null)
  const open = (event: MouseEvent, conversationId: string) => {
    if (!onOpen || event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return
    event.preventDefault()
    onOpen(conversationId)
  }
  const names = new Map(agents.map(({ id, name }) => [id, name]))
  return (
    <section aria-label={words.list} className="askback-providers">
      <h2 ref={heading} tabIndex={-1}>
        {words.list}
      </h2>
      {schedules.length === 0 && <p className="askback-quiet">{words.none}</p>}
      <ul className="askback-schedules" hidden={schedules.length === 0}>
        {schedules.map((schedule) => (
          <li key={schedule.id} className="askback-provider">
            <div>
              <strong dir="auto">{schedule.message}</strong>
              <p className="askback-quiet askback-small">
                {names.get(schedule.agentId) ?? words.deletedAgent}
                {' · '}
                <span
                  className={
                    schedule.pausedAs !== null && schedule.pausedAs !== 'user' ? 'askback-problem' : ''
                  }
                >
                  {stateOf(schedule, words)}
                </span>
              </p>
            </div>
            <div className="askback-actions">
              <button
                type="button"
                aria-label={words.runThis(schedule.message)}
                onClick={() => onRun(schedule)}
              >
                {words.runNow}
              </button>
              <PauseButton schedule={schedule} onPause={onPause} />
              {hrefOf && schedule.history.some(({ outcome }) => outcome === 'begun') && (
                <a
                  className="askback-button"
                  href={hrefOf(schedule.conversationId)}
                  aria-label={words.conversationOf(schedule.message)}
                  onClick={(event) => open(event, schedule.conversationId)}
                >
                  {words.conversation}
                </a>
              )}
              <button
                type="button"
                aria-label={words.removeThis(schedule.message)}
                onClick={() => setAsked(schedule)}
              >
                {words.remove}
              </button>
            </div>
            <History schedule={schedule} />
          </li>
        ))}
      </ul>
      {asked && (
        <AskFirst
          title={words.removeQuestion}
          action={words.remove}
          onKeep={() => setAsked(undefined)}
          onConfirm={() => {
            setAsked(undefined)
            onDelete(asked)
            heading.current?.focus({ preventScroll: true })
          }}
        >
          <p>{words.removeNote}</p>
        </AskFirst>
      )}
    </section>
  )
}

function PauseButton({
  schedule,
  onPause,
}: {
  schedule: Schedule
  onPause(schedule: Schedule, paused: boolean): void
}) {
  const words = useScheduleLabels()
  const isPaused = schedule.pausedAs === 'user' || schedule.pausedAs === 'failures'
  if (!isPaused && schedule.nextAt === null) return null
  return (
    <button
      type="button"
      aria-label={isPaused ? words.resumeThis(schedule.message) : words.pauseThis(schedule.message)}
      onClick={() => onPause(schedule, !isPaused)}
    >
      {isPaused ? words.resume : words.pause}
    </button>
  )
}

function History({ schedule: { history } }: { schedule: Schedule }) {
  const words = useScheduleLabels()
  const { locale } = useLabels()
  if (history.length === 0) return null
  return (
    <details className="askback-kept">
      <summary>{words.history}</summary>
      <ul className="askback-small">
        {history.map(({ dueAt, outcome, status }) => (
          <li key={dueAt}>
            {showDate(dueAt, 'moment', locale)}
            {' · '}
            {words.outcomes[
              (outcome === 'begun' && status ? status : outcome) as keyof typeof words.outcomes
            ] ?? words.outcomes.begun}
          </li>
        ))}
      </ul>
    </details>
  )
}
