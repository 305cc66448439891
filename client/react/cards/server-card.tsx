import { type FormEvent, useId, useMemo, useRef } from 'react'
import { withoutHidden } from '../../../shared/words/hidden-marks.ts'
import type { FormSchema, Pending } from '../../api/message.ts'
import { isWebAddress } from '../../values/web-address.ts'
import { Field } from '../forms/field.tsx'
import type { FormField } from '../forms/form-fields.ts'
import { Problem } from '../forms/problem.tsx'
import { useForm } from '../forms/use-form.ts'
import { placeOf, useForget } from '../forms/use-kept.ts'
import { useSending } from '../forms/use-sending.ts'
import { focusProblem } from '../interaction/focus-problem.ts'
import { useArrivalFocus } from '../interaction/use-arrival-focus.ts'
import { useFocusBack } from '../interaction/use-focus-back.ts'
import { useLabels } from '../labels/use-labels.ts'
import { BreakingText } from '../values/breaking-text.tsx'
import { ExactText } from '../values/exact-text.tsx'
import { KeptValues } from '../values/kept-values.tsx'

/** What a server of MCP asks: who it is comes first, and its words are a quotation. The answer is for that server alone. */
export function ServerCard({
  pending,
  server,
  onAnswer,
  onSkip,
}: {
  pending: Pending
  server: NonNullable<Pending['server']>
  /** Rejects with a sentence if the answer was not accepted. */
  onAnswer(values: Record<string, unknown>): Promise<unknown>
  /** Tells the server that there is no answer. Rejects like `onAnswer`. */
  onSkip(): Promise<unknown>
}) {
  const labels = useLabels()
  const heading = useId()
  const { schema = {}, hint, toolName, values = {} } = pending
  const host = withoutHidden(server.host)
  const { empty, proposed } = useMemo(() => splitProposed(schema), [schema])
  const form = useForm(empty, proposed, placeOf(pending))
  const { isSending, failure, send } = useSending()
  const element = useRef<HTMLFormElement>(null)
  const forget = useForget()
  useArrivalFocus(element)
  useFocusBack(isSending, element)

  const decide = (post: () => Promise<unknown>) =>
    send(async () => {
      await post()
      forget(placeOf(pending))
    })
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isSending) return
    const answer = form.read()
    if (answer === undefined) return focusProblem(element.current)
    await decide(() => onAnswer(answer))
  }
  const fieldOf = (field: FormField) => (
    <div key={field.name}>
      <Field
        field={field}
        disabled={isSending}
        value={form.typed[field.name] ?? ''}
        problem={form.problems[field.name]}
        onChange={(text) => form.type(field.name, text)}
      />
      {proposed[field.name] !== undefined && (
        <p className="askback-quiet askback-small" dir="auto">
          {labels.proposedBy(host)}
        </p>
      )}
    </div>
  )
  const onlyPages = server.requests.every(({ url }) => url !== undefined)
  return (
    <form
      ref={element}
      className="askback-card askback-question"
      aria-labelledby={heading}
      noValidate
      onSubmit={submit}
    >
      <h2 id={heading} dir="auto">
        <BreakingText text={labels.serverAsks(host)} />
      </h2>
      {server.requests.map(({ message, fields, url }, index) => (
        <div key={index} className="askback-server-request">
          {message !== '' && (
            <blockquote dir="auto">
              <BreakingText text={withoutHidden(message)} />
            </blockquote>
          )}
          {isWebAddress(url) && (
            <p>
              <a className="askback-primary" href={url} target="_blank" rel="noopener noreferrer">
                {labels.openPage(new URL(url).host)}
              </a>
              {/* All of it, for whoever wants to look before they go. */}
              <span className="askback-rest askback-small">
                <ExactText text={new URL(url).href} />
              </span>
            </p>
          )}
          {form.fields.filter(({ name }) => fields.includes(name)).map(fieldOf)}
        </div>
      ))}
      <p className="askback-rest" dir="auto">
        {hint}
      </p>
      <KeptValues toolName={toolName} values={values} />
      <div className="askback-actions askback-decision">
        <button type="submit" className="askback-primary" disabled={isSending}>
          {isSending ? labels.sending : onlyPages ? labels.pageDone : labels.sendAnswer}
        </button>
        <button type="button" disabled={isSending} onClick={() => decide(onSkip)}>
          {onlyPages ? labels.dontOpen : labels.dontAnswer}
        </button>
        <Problem>{failure}</Problem>
      </div>
    </form>
  )
}

/** The form without what its server proposes, and that: it is filled in, where an example would stay empty. */
function splitProposed(schema: FormSchema): { empty: FormSchema; proposed: Record<string, unknown> } {
  const fields = Object.entries(schema.properties ?? {})
  const usual = fields.filter(([, field]) => field.default !== undefined)
  return {
    empty: {
      ...schema,
      properties: Object.fromEntries(fields.map(([name, { default: _, ...field }]) => [name, field])),
    },
    proposed: Object.fromEntries(usual.map(([name, field]) => [name, field.default])),
  }
}
