import { type FormEvent, useState } from 'react'
import type { ToolDescription } from '../../../client/message.ts'
import { Field } from '../../../client/react/field.tsx'
import { useForm } from '../../../client/react/use-form.ts'
import { withoutMark } from '../../../client/sentence.ts'
import { useSession } from '../../session.tsx'

/** A tool, run once by hand. What it does is real: a mail that is tried is sent. */
export function ToolTrial({ tool }: { tool: ToolDescription }) {
  const { askback } = useSession()
  const form = useForm(tool.parameters)
  const [isRunning, setRunning] = useState(false)
  const [outcome, setOutcome] = useState<{ ok: boolean; text: string }>()

  const run = async (event: FormEvent) => {
    event.preventDefault()
    const values = form.read()
    if (values === undefined || isRunning) return
    setRunning(true)
    try {
      const result = await askback.runTool(tool, values)
      const text = result.ok
        ? JSON.stringify(result.data, null, 2)
        : withoutMark(result.error ?? 'It did not work.')
      setOutcome({ ok: result.ok, text })
    } catch (error) {
      setOutcome({ ok: false, text: (error as Error).message })
    }
    setRunning(false)
  }

  return (
    <form className="fields trial" aria-label={`Try ${tool.title}`} noValidate onSubmit={run}>
      {form.fields.map((field) => (
        <Field
          key={field.name}
          field={field}
          disabled={isRunning}
          value={form.typed[field.name] ?? ''}
          problem={form.problems[field.name]}
          onChange={(text) => form.type(field.name, text)}
        />
      ))}
      <div className="actions">
        <button type="submit" disabled={isRunning}>
          {isRunning ? 'Running …' : tool.effect === 'write' ? 'Do it now' : 'Run'}
        </button>
      </div>
      <div role="status">
        {outcome && (outcome.ok ? <pre>{outcome.text}</pre> : <p className="problem">{outcome.text}</p>)}
      </div>
    </form>
  )
}
