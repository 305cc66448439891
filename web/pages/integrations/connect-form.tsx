import { type FormEvent, useState } from 'react'
import type { AskbackError } from '../../../client/askback-error.ts'
import type { Provider } from '../../../client/connection.ts'
import { Field } from '../../../client/react/field.tsx'
import { useForm } from '../../../client/react/use-form.ts'
import { withoutMark } from '../../../client/sentence.ts'
import { useSession } from '../../session.tsx'

/** The fields of a provider. What is entered is tested before it is stored; secrets cannot be read again. */
export function ConnectForm({
  provider: { id, name, connection },
  onConnected,
  onCancel,
}: {
  provider: Provider
  onConnected(account: string | null): Promise<void>
  onCancel(): void
}) {
  const { askback } = useSession()
  const form = useForm(connection)
  const [isSending, setSending] = useState(false)
  const [failure, setFailure] = useState('')

  const send = async (event: FormEvent) => {
    event.preventDefault()
    const values = form.read()
    if (values === undefined || isSending) return
    setSending(true)
    setFailure('')
    try {
      const { connection: made } = await askback.connections.create(id, values)
      await onConnected(made.account)
    } catch (error) {
      const { message, problems } = error as AskbackError
      form.report(
        Object.fromEntries(problems.flatMap((one) => (one.parameter ? [[one.parameter, one.message]] : []))),
      )
      setFailure(withoutMark(message))
      setSending(false)
    }
  }

  return (
    <form className="fields" aria-label={`Connect ${name}`} noValidate onSubmit={send}>
      {form.fields.map((field) => (
        <Field
          key={field.name}
          field={field}
          disabled={isSending}
          value={form.typed[field.name] ?? ''}
          problem={form.problems[field.name]}
          onChange={(text) => form.type(field.name, text)}
        />
      ))}
      {failure && (
        <p role="alert" className="problem">
          {failure}
        </p>
      )}
      <div className="actions">
        <button type="submit" className="primary" disabled={isSending}>
          {isSending ? 'Testing …' : 'Connect'}
        </button>
        <button type="button" disabled={isSending} onClick={onCancel}>
          Cancel
        </button>
      </div>
    </form>
  )
}
