import { type FormEvent, useId, useState } from 'react'
import { failureSentence } from '../../../base/failure-sentence.ts'
import { operatorWords } from './words.ts'

/** Asks for a reason before changing something that affects others. Shows the error if `onSend` rejects. */
export function ReasonForm({
  action,
  hint,
  onSend,
  onCancel,
}: {
  /** The button's label. */
  action: string
  hint?: string
  onSend(reason: string): Promise<unknown>
  onCancel(): void
}) {
  const id = useId()
  const words = operatorWords()
  const [isSending, setSending] = useState(false)
  const [problem, setProblem] = useState<string>()
  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const reason = String(new FormData(event.currentTarget).get('reason')).trim()
    if (reason === '') return setProblem(words.whyMissing)
    setSending(true)
    try {
      await onSend(reason)
    } catch (error) {
      setProblem(failureSentence(error))
      setSending(false)
    }
  }
  return (
    <form className="stack" aria-label={action} noValidate onSubmit={send}>
      <label>
        {words.why}
        <input
          name="reason"
          maxLength={500}
          autoComplete="off"
          // biome-ignore lint/a11y/noAutofocus: the user has just pressed a button to open it
          autoFocus
          aria-describedby={id}
          aria-invalid={problem !== undefined}
        />
      </label>
      <p id={id} className={problem ? 'problem small' : 'quiet small'}>
        {problem ?? hint ?? words.logged}
      </p>
      <div className="actions">
        <button type="submit" className="primary" disabled={isSending}>
          {action}
        </button>
        <button type="button" onClick={onCancel}>
          {words.cancel}
        </button>
      </div>
    </form>
  )
}
