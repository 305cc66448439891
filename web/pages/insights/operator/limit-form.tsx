import { type FormEvent, useId, useState } from 'react'
import type { UsageLimit } from '../../../../client/api/types.ts'
import { failureSentence } from '../../../base/failure-sentence.ts'
import { operatorWords } from './words.ts'

/** Changes a limit: for everybody, for one user, or, if it is a user's own, back to the default. */
export function LimitForm({
  limit: { scope, subject, value },
  name,
  onSend,
  onCancel,
}: {
  limit: UsageLimit
  name: string
  onSend(change: { value: number | null; subject: string | null; reason: string }): Promise<unknown>
  onCancel(): void
}) {
  const id = useId()
  const words = operatorWords()
  const [isSending, setSending] = useState(false)
  const [problem, setProblem] = useState<string>()
  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const { submitter } = event.nativeEvent as SubmitEvent
    const isRemoval = (submitter as HTMLButtonElement | null)?.value === 'remove'
    const textOf = (field: string) => String(form.get(field) ?? '').trim()
    const given = Number(textOf('value'))
    if (!isRemoval && (textOf('value') === '' || !(given >= 0))) return setProblem(words.valueMissing)
    if (textOf('reason') === '') return setProblem(words.whyMissing)
    setSending(true)
    try {
      await onSend({
        value: isRemoval ? null : given,
        subject: subject ?? (textOf('user') || null),
        reason: textOf('reason'),
      })
    } catch (error) {
      setProblem(failureSentence(error))
      setSending(false)
    }
  }
  return (
    <form className="stack" aria-label={words.changeThis(name)} noValidate onSubmit={send}>
      <label>
        {words.newValue}
        <input
          name="value"
          type="number"
          min="0"
          step="any"
          defaultValue={value}
          // biome-ignore lint/a11y/noAutofocus: the user has just pressed a button to open it
          autoFocus
        />
      </label>
      {scope === 'user' && subject === null && (
        <label>
          {words.forOneUser}
          <input name="user" maxLength={36} autoComplete="off" />
        </label>
      )}
      <label>
        {words.why}
        <input name="reason" maxLength={500} autoComplete="off" aria-describedby={id} />
      </label>
      <p id={id} className={problem ? 'problem small' : 'quiet small'} role={problem ? 'alert' : undefined}>
        {problem ?? words.logged}
      </p>
      <div className="actions">
        <button type="submit" className="primary" disabled={isSending}>
          {words.setLimit}
        </button>
        {subject !== null && (
          <button type="submit" value="remove" disabled={isSending}>
            {words.backToDefault}
          </button>
        )}
        <button type="button" onClick={onCancel}>
          {words.cancel}
        </button>
      </div>
    </form>
  )
}
