import { type FormEvent, useRef, useState } from 'react'
import type { ToolDescription } from '../../../client/api/message.ts'
import type { ToolError, ToolResult } from '../../../client/api/types.ts'
import { CallOutput } from '../../../client/react/calls/call-output.tsx'
import { Field } from '../../../client/react/forms/field.tsx'
import { useForm } from '../../../client/react/forms/use-form.ts'
import { focusProblem } from '../../../client/react/interaction/focus-problem.ts'
import { useFocusBack } from '../../../client/react/interaction/use-focus-back.ts'
import { CallValues } from '../../../client/react/values/call-values.tsx'
import { withoutMark } from '../../../client/values/sentence.ts'
import { failureSentence } from '../../base/failure-sentence.ts'
import { useSession } from '../../base/session.tsx'
import { agentsWords } from './words.ts'

/** A call that failed, or of which nobody knows how far it got. */
type Failure = Pick<ToolError, 'ok' | 'error'> & Partial<Pick<ToolError, 'details'>>
type Outcome = Extract<ToolResult, { ok: true }> | Failure

/** A call to be made. The same key runs once, however often it is sent. */
interface Trial {
  values: Record<string, unknown>
  idempotencyKey: string
}

/** Runs a tool once. Its effects are real: a test mail really is sent, after one confirmation. */
export function ToolTrial({ tool, agentId }: { tool: ToolDescription; agentId: string }) {
  const { askback } = useSession()
  const words = agentsWords()
  const form = useForm(tool.parameters)
  const [isRunning, setRunning] = useState(false)
  const [asked, setAsked] = useState<Trial>()
  const [outcome, setOutcome] = useState<Outcome>()
  const fields = useRef<HTMLFormElement>(null)
  const place = useRef<HTMLDivElement>(null)
  useFocusBack(asked !== undefined, place)
  useFocusBack(isRunning, place)
  const isWrite = tool.effect === 'write'

  const run = async ({ values, idempotencyKey }: Trial) => {
    if (isRunning) return
    setRunning(true)
    try {
      const result = await askback.runTool(tool, values, { agentId, idempotencyKey })
      setOutcome(result)
      setAsked(undefined)
      if (result.ok) return
      form.report(findPlaces(result, form.fields))
      // The form may be longer than the window.
      focusProblem(fields.current)
    } catch (error) {
      // Nobody knows how far it got: keep the key, so that another try cannot run it twice.
      setOutcome({ ok: false, error: failureSentence(error) })
    } finally {
      setRunning(false)
    }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const values = form.read()
    setOutcome(undefined)
    if (values === undefined) return focusProblem(fields.current)
    const trial = { values, idempotencyKey: crypto.randomUUID() }
    if (isWrite) setAsked(trial)
    else void run(trial)
  }

  return (
    <div ref={place} tabIndex={-1} className="trial">
      <form
        ref={fields}
        className="fields"
        aria-label={words.trialOf(tool.title)}
        noValidate
        onSubmit={submit}
      >
        {form.fields.map((field) => (
          <Field
            key={field.name}
            field={field}
            disabled={isRunning || asked !== undefined}
            value={form.typed[field.name] ?? ''}
            problem={form.problems[field.name]}
            onChange={(text) => form.type(field.name, text)}
          />
        ))}
        {!asked && (
          <div className="actions">
            <button type="submit" disabled={isRunning}>
              {isRunning ? words.running : isWrite ? words.doIt : words.run}
            </button>
          </div>
        )}
      </form>
      {asked && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out like a card
        <div role="group" aria-label={words.forReal} className="askback-card askback-question">
          <h3>{words.forRealNote(tool.title)}</h3>
          <CallValues toolName={tool.name} values={asked.values} />
          <div className="askback-actions">
            <button
              type="button"
              className="askback-primary"
              // biome-ignore lint/a11y/noAutofocus: the button before it has gone
              autoFocus
              disabled={isRunning}
              onClick={() => void run(asked)}
            >
              {isRunning ? words.running : words.yes}
            </button>
            <button type="button" disabled={isRunning} onClick={() => setAsked(undefined)}>
              {words.no}
            </button>
          </div>
        </div>
      )}
      <div role="status">{outcome && <ShownOutcome outcome={outcome} />}</div>
    </div>
  )
}

function ShownOutcome({ outcome }: { outcome: Outcome }) {
  if (outcome.ok) return <CallOutput output={outcome.data} />
  const link = outcome.details?.action
  return (
    <>
      <p className="problem">{withoutMark(outcome.error)}</p>
      {link && <a href={link.href}>{link.label}</a>}
    </>
  )
}

/** Assigns the error to the field that it is about, if there is one. */
function findPlaces(
  { error, details }: Failure,
  fields: readonly { name: string }[],
): Record<string, string> {
  const name = /^[^.[]+/.exec(details?.parameter ?? '')?.[0]
  const isField = fields.some((field) => field.name === name)
  return name !== undefined && isField ? { [name]: withoutMark(error) } : {}
}
