import { type FormEvent, type RefObject, useEffect, useMemo, useState } from 'react'
import type { Connection, Provider } from '../../api/connection.ts'
import type { FormSchema } from '../../api/message.ts'
import type { Askback } from '../../askback.ts'
import type { AskbackError } from '../../askback-error.ts'
import { describeFailure } from '../../labels/failure.ts'
import { withoutMark } from '../../values/sentence.ts'
import { Field } from '../forms/field.tsx'
import { Problem } from '../forms/problem.tsx'
import { useForm } from '../forms/use-form.ts'
import { useForget, useKept } from '../forms/use-kept.ts'
import { focusProblem } from '../interaction/focus-problem.ts'
import { useFocusBack } from '../interaction/use-focus-back.ts'
import { useIntegrationLabels } from '../labels/use-integration-labels.ts'
import { useLabels } from '../labels/use-labels.ts'
import { OutsideLink } from '../values/outside-link.tsx'

/**
 * The form for a new connection, or for changing one: a secret stays as it is if nothing is typed for it.
 * Values are tested before they are stored; secrets cannot be read back.
 */
export function ConnectForm({
  askback,
  provider: { id, name, connection: schema, connections },
  connection,
  onConnected,
  onTaken,
  onFailed,
  onCancel,
  ref: element,
}: {
  askback: Askback
  provider: Provider
  connection?: Connection
  onConnected(connection: Connection): Promise<void>
  /** It is connected already, by another tab or by a request whose reply was lost. */
  onTaken?(): Promise<void>
  /** What is stored may differ from what is shown. */
  onFailed(): void
  onCancel(): void
  ref: RefObject<HTMLFormElement | null>
}) {
  const labels = useLabels()
  const words = useIntegrationLabels()
  const place = placeOfForm(id, connection?.id)
  const form = useForm(
    useMemo(
      () => (connection ? keepingSecrets(schema, words.secretStored) : schema),
      [schema, connection, words],
    ),
    connection?.values,
    place,
  )
  // As it was begun: a field for a name must not turn up under the hands of somebody who sends it.
  const [isNamed] = useState(connections.length > 0)
  const [label, setLabel] = useKept(`${place} label`, connection?.label ?? '')
  const forget = useForget()
  const [isSending, setSending] = useState(false)
  const [failure, setFailure] = useState('')
  const [isNameTaken, setNameTaken] = useState(false)
  useFocusBack(isSending)
  // Once what the server refused is marked, and can be changed again.
  useEffect(() => {
    if (!isSending) focusProblem(element.current)
  }, [isSending])

  const send = async (event: FormEvent) => {
    event.preventDefault()
    if (isSending) return
    setFailure('')
    setNameTaken(false)
    const values = form.read()
    if (values === undefined) return focusProblem(element.current)
    setSending(true)
    try {
      const name = isNamed ? label.trim() : ''
      const { connection: stored } = connection
        ? await askback.connections.change(connection.id, {
            values: changedValues(values, connection.values),
            label: name !== connection.label ? name : undefined,
          })
        : await askback.connections.create(id, values, name || undefined)
      forget(place)
      await onConnected(stored)
    } catch (error) {
      const { problems = [], code } = error as AskbackError
      const isTaken = code === 'label_taken'
      if (isTaken && !isNamed && onTaken) {
        forget(place)
        return onTaken()
      }
      form.refuse(problems)
      if (isTaken && isNamed) setNameTaken(true)
      else setFailure(withoutMark(describeFailure(error, labels)))
      setSending(false)
      onFailed()
    }
  }

  const cancel = () => {
    forget(place)
    onCancel()
  }

  return (
    <form
      ref={element}
      className="askback-fields"
      aria-label={connection ? words.changeOf(name) : words.connectTo(name)}
      noValidate
      onSubmit={send}
    >
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
      {/* Distinguishes several connections of one provider. */}
      {isNamed && (
        <Field
          field={{ ...nameField, label: words.connectionName, placeholder: words.connectionExample }}
          disabled={isSending}
          value={label}
          problem={isNameTaken ? words.nameTaken : undefined}
          onChange={(text) => {
            setLabel(text)
            setNameTaken(false)
          }}
        />
      )}
      <Problem>{failure}</Problem>
      <div className="askback-actions">
        <button type="submit" className="askback-primary" disabled={isSending}>
          {isSending ? words.testing : connection ? words.save : words.connect}
        </button>
        <button type="button" disabled={isSending} onClick={cancel}>
          {words.cancel}
        </button>
        {schema.keysAt && <OutsideLink href={schema.keysAt}>{words.getKey}</OutsideLink>}
      </div>
    </form>
  )
}

/** Where typed values are kept. */
export function placeOfForm(provider: string, connection = 'new'): string {
  return `connect ${provider} ${connection}`
}

const nameField = {
  name: 'label',
  kind: 'text',
  schema: { type: 'string', maxLength: 200 },
  required: false,
  hint: '',
} as const

/** The same form for an existing connection. */
function keepingSecrets(schema: FormSchema, hint: string): FormSchema {
  const { properties = {}, required = [] } = schema
  const fields = Object.entries(properties).map(([name, field]) => [
    name,
    field.secret ? { ...field, hint } : field,
  ])
  return {
    ...schema,
    properties: Object.fromEntries(fields),
    required: required.filter((name) => !properties[name]?.secret),
  }
}

/** null for a value that was cleared. */
function changedValues(
  values: Record<string, unknown>,
  before: Record<string, unknown>,
): Record<string, unknown> {
  const emptied = Object.entries(before).flatMap(([name, value]): [string, unknown][] =>
    name in values || value === null ? [] : [[name, null]],
  )
  const isChanged = ([name, value]: [string, unknown]) =>
    JSON.stringify(value) !== JSON.stringify(before[name])
  return Object.fromEntries([...Object.entries(values).filter(isChanged), ...emptied])
}
