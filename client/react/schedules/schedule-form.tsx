import { type FormEvent, type ReactNode, useState } from 'react'
import type { AgentModel } from '../../api/api-token.ts'
import type { NewSchedule } from '../../api/types.ts'
import { Problem } from '../forms/problem.tsx'
import { useLabels } from '../labels/use-labels.ts'
import { useScheduleLabels } from '../labels/use-schedule-labels.ts'
import { type Repeats, repeats, toCron } from './cron.ts'

/** Monday first; 0 is Sunday. */
const weekdays = [1, 2, 3, 4, 5, 6, 0]
const monthdays = Array.from({ length: 28 }, (_, index) => index + 1)

/** A new schedule: what is done, and when. */
export function ScheduleForm({
  agents,
  isBusy,
  failure,
  onAdd,
}: {
  agents: readonly AgentModel[]
  isBusy: boolean
  failure: string
  /** Resolves to whether it was added. */
  onAdd(schedule: NewSchedule): Promise<boolean>
}) {
  const words = useScheduleLabels()
  const { locale } = useLabels()
  const [repeat, setRepeat] = useState<Repeats>('weekdays')
  const [problem, setProblem] = useState('')
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()

  const add = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const element = event.currentTarget
    const form = new FormData(element)
    const given = (name: string) => String(form.get(name) ?? '').trim()
    if (given('message') === '') return setProblem(words.messageMissing)
    setProblem('')
    const agentId = given('agent')
    const isAdded = await onAdd({
      message: given('message'),
      cron: repeat === 'custom' ? given('cron') : toCron(repeat, given('time'), given('day')),
      timeZone,
      missed: given('missed') === 'skip' ? 'skip' : 'run',
      agentId: agentId === '' ? undefined : agentId,
    })
    if (!isAdded) return
    element.reset()
    setRepeat('weekdays')
  }

  return (
    <form className="askback-provider" aria-label={words.newSchedule} noValidate onSubmit={add}>
      <h2>{words.newSchedule}</h2>
      <div className="askback-fields">
        <Field label={words.message}>
          <textarea
            name="message"
            dir="auto"
            rows={3}
            maxLength={10_000}
            placeholder={words.messageExample}
            required
          />
        </Field>
        {agents.length > 1 && (
          <Field label={words.agent}>
            <select name="agent">
              {agents.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          </Field>
        )}
        <Field label={words.repeats}>
          <select name="repeats" value={repeat} onChange={({ target }) => setRepeat(target.value as Repeats)}>
            {repeats.map((one) => (
              <option key={one} value={one}>
                {words[one]}
              </option>
            ))}
          </select>
        </Field>
        {repeat === 'weekly' && (
          <Field label={words.weekday}>
            <select name="day">
              {weekdays.map((day) => (
                <option key={day} value={day}>
                  {showWeekday(day, locale)}
                </option>
              ))}
            </select>
          </Field>
        )}
        {repeat === 'monthly' && (
          <Field label={words.monthday}>
            <select name="day">
              {monthdays.map((day) => (
                <option key={day}>{day}</option>
              ))}
            </select>
          </Field>
        )}
        {repeat === 'custom' ? (
          <Field label={words.cron}>
            <input name="cron" dir="ltr" defaultValue="0 9 * * 1-5" autoComplete="off" required />
            <span className="askback-quiet askback-small">{words.cronNote}</span>
          </Field>
        ) : (
          <Field label={words.time}>
            <input type="time" name="time" defaultValue="09:00" required />
          </Field>
        )}
        <p className="askback-quiet askback-small">{words.zone(timeZone)}</p>
        <Field label={words.missed}>
          <select name="missed">
            <option value="run">{words.run}</option>
            <option value="skip">{words.skip}</option>
          </select>
        </Field>
      </div>
      <Problem>{problem || failure}</Problem>
      <div className="askback-actions">
        <button type="submit" className="askback-primary" disabled={isBusy}>
          {words.create}
        </button>
      </div>
    </form>
  )
}

function Field({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="askback-field">
      {/* biome-ignore lint/a11y/noLabelWithoutControl: its control is a child. */}
      <label>
        {label}
        {children}
      </label>
    </div>
  )
}

/** The name of a day of the week; 0 is Sunday. */
function showWeekday(day: number, locale: string): string {
  // 1 November 2026 was a Sunday.
  const date = Date.UTC(2026, 10, 1 + day)
  return new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' }).format(date)
}
