import { type FormEvent, type RefObject, useLayoutEffect, useMemo, useRef } from 'react'
import type { Pending } from '../../api/message.ts'
import { refusedValue, withoutHoles } from '../../api/open-values.ts'
import { withoutMark } from '../../values/sentence.ts'
import { Chips } from '../forms/chips.tsx'
import { Field } from '../forms/field.tsx'
import { listChips, withoutEcho } from '../forms/form-fields.ts'
import { Problem } from '../forms/problem.tsx'
import { useForm } from '../forms/use-form.ts'
import { placeOf, useForget } from '../forms/use-kept.ts'
import { useSending } from '../forms/use-sending.ts'
import { focusProblem } from '../interaction/focus-problem.ts'
import { useArrivalFocus } from '../interaction/use-arrival-focus.ts'
import { useFocusBack } from '../interaction/use-focus-back.ts'
import { useLabels } from '../labels/use-labels.ts'
import { KeptValues } from '../values/kept-values.tsx'
import { besideFields, QuestionText } from './question-text.tsx'
import { useDifference } from './told-apart.ts'

/** A question as a small form; the answer completes the exact call. */
export function QuestionForm({
  pending,
  onAnswer,
  onSkip,
}: {
  pending: Pending
  /** Rejects with a sentence if the answer was not accepted. */
  onAnswer(values: Record<string, unknown>): Promise<unknown>
  /** Continues without an answer. Rejects like `onAnswer`. */
  onSkip(): Promise<unknown>
}) {
  const labels = useLabels()
  const { schema = {}, toolName } = pending
  const values = withoutHoles(pending.values ?? {})
  const question = withoutMark(pending.question)
  const refused = useMemo(() => refusedValue(pending), [pending])
  const form = useForm(schema, refused, placeOf(pending))
  // With a single choice field, pressing a choice sends the answer.
  const only = form.fields.length === 1 ? form.fields[0] : undefined
  const chips = only && listChips(only)
  const { isSending, failure, send } = useSending()
  const element = useRef<HTMLFormElement>(null)
  useOwnName(element, question)
  const forget = useForget()
  useArrivalFocus(element)
  useFocusBack(isSending, element)

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isSending) return
    const answer = form.read()
    if (answer === undefined) return focusProblem(element.current)
    await decide(() => onAnswer(answer))
  }

  const decide = (post: () => Promise<unknown>) =>
    send(async () => {
      await post()
      forget(placeOf(pending))
    })

  return (
    <form
      ref={element}
      className="askback-card askback-question"
      aria-label={question}
      noValidate
      onSubmit={submit}
    >
      <QuestionText pending={besideFields(pending, form.fields)} difference={useDifference(pending)} />
      {only && chips && (
        <Chips
          label={only.label}
          choices={chips}
          schema={only.schema}
          disabled={isSending}
          onChoose={(choice) => decide(() => onAnswer({ [only.name]: choice }))}
        />
      )}
      {(chips ? [] : form.fields).map((field) => (
        <Field
          key={field.name}
          field={withoutEcho(field, question)}
          disabled={isSending}
          value={form.typed[field.name] ?? ''}
          problem={form.problems[field.name]}
          onChange={(text) => form.type(field.name, text)}
        />
      ))}
      <KeptValues toolName={toolName} values={values} />
      <div className="askback-actions askback-decision">
        {!chips && (
          <button type="submit" className="askback-primary" disabled={isSending}>
            {isSending ? labels.sending : labels.sendAnswer}
          </button>
        )}
        <button type="button" disabled={isSending} onClick={() => decide(onSkip)}>
          {labels.skip}
        </button>
        <Problem>{failure}</Problem>
      </div>
    </form>
  )
}

/** Two calls may ask the same question: a number tells their forms apart for people who jump between them. */
function useOwnName(form: RefObject<HTMLFormElement | null>, name: string): void {
  useLayoutEffect(() => {
    const others = [...document.querySelectorAll('form')].filter((one) => one !== form.current)
    const taken = new Set(others.map((one) => one.getAttribute('aria-label')))
    let number = 1
    const own = () => (number === 1 ? name : `${name} (${number})`)
    while (taken.has(own())) number++
    form.current?.setAttribute('aria-label', own())
  }, [form, name])
}
