import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react'
import type { FormSchema, Pending } from '../../api/message.ts'
import { refusedValue, splitOpen, withoutFields, withoutHoles } from '../../api/open-values.ts'
import type { PermissionTerms } from '../../api/permission.ts'
import type { ApprovalDecision } from '../../askback.ts'
import { lookedUpNames } from '../../values/looked-up.ts'
import { shorten, withoutMark } from '../../values/sentence.ts'
import { Field } from '../forms/field.tsx'
import { type FormField, withoutEcho } from '../forms/form-fields.ts'
import { Problem } from '../forms/problem.tsx'
import { type SchemaForm, useForm } from '../forms/use-form.ts'
import { placeOf, useForget, useKept } from '../forms/use-kept.ts'
import { useSending } from '../forms/use-sending.ts'
import { Drawing } from '../icons/drawing.tsx'
import { reasonIcon } from '../icons/reason-icon.ts'
import { focusProblem } from '../interaction/focus-problem.ts'
import { isComposing } from '../interaction/is-composing.ts'
import { useOutsideFrame } from '../interaction/outside-frame.ts'
import { leadFocus } from '../interaction/stray-key.ts'
import { useArrivalFocus } from '../interaction/use-arrival-focus.ts'
import { useFocusBack } from '../interaction/use-focus-back.ts'
import { useToolNames } from '../labels/tool-names.tsx'
import { useLabels } from '../labels/use-labels.ts'
import { BreakingText } from '../values/breaking-text.tsx'
import { CallValues } from '../values/call-values.tsx'
import { AlwaysAllow } from './always-allow.tsx'
import { ApproveOutside } from './approve-outside.tsx'
import { AskedAt } from './asked-at.tsx'
import { useNoteEdited } from './edited-items.ts'
import {
  findPermissionProblems,
  type PermissionProblems,
  readPermissionProblems,
} from './permission-problems.ts'
import { besideFields, QuestionText } from './question-text.tsx'
import { useDifference } from './told-apart.ts'

const empty: Record<string, unknown> = {}
const noSchema: FormSchema = {}

/**
 * A call that needs approval, in full: to approve, edit, keep as a draft or deny, once. If values are missing, its fields
 * ask for them, and the same button fills them in and approves.
 */
export function ApprovalCard({
  pending,
  pageOf,
  onDecide,
}: {
  pending: Pending
  /** As of `CardHandlers`. */
  pageOf?: (() => Promise<string>) | undefined
  /** Rejects with a sentence if the decision was not accepted. */
  onDecide(decision: ApprovalDecision): Promise<unknown>
}) {
  const labels = useLabels()
  const { toolName, itemId: approvalId, button = labels.approve, account = null } = pending
  const { remember, confirm = '', statement = confirm, schema: asked = noSchema, approvers } = pending
  const isForm = pending.type === 'input'
  const { known, open } = useMemo(() => splitOpen(pending), [pending])
  const values = useMemo(
    () => (isForm ? withoutHoles(pending.values ?? empty) : known),
    [isForm, pending, known],
  )
  const names = useToolNames()
  const difference = useDifference(pending)
  const id = useId()
  const place = placeOf(pending)
  const outside = useOutsideFrame()
  const [isKeptOpen, setEditing] = useKept(`${place} editing`, false)
  const [reason, setReason] = useKept(`${place} reason`, '')
  const isEditing = isKeptOpen && outside === undefined
  useNoteEdited(pending.itemId, isEditing)
  const forget = useForget()
  const [hadReason] = useState(reason !== '')
  const { isSending, failure, send } = useSending()
  const [unfitTerms, setUnfitTerms] = useState<PermissionProblems>()
  /** Enter in a field has led to the button. */
  const [isLed, setLed] = useState(false)
  const parameters = names.find(toolName)?.parameters
  const schema = useMemo(
    () => withoutFields(parameters ?? schemaOf(known), Object.keys(open)),
    [parameters, known, open],
  )
  const form = useForm(isEditing ? schema : noSchema, known, isForm ? `${place} other` : place)
  const refused = useMemo(() => refusedValue(pending), [pending])
  const missing = useForm(isForm ? asked : noSchema, refused, isForm ? place : undefined)
  // What others approve is approved as it was asked.
  const canEdit = approvers === undefined && (!isForm || Object.keys(schema.properties ?? {}).length > 0)
  const isUsed = ({ name, required }: FormField) => required || known[name] !== undefined
  // Values that can only be written as JSON are left to the model.
  const others = form.fields.filter((field) => !isUsed(field) && field.kind !== 'json')
  const card = useRef<HTMLDivElement>(null)
  const editButton = useRef<HTMLButtonElement>(null)
  const byKeyboard = useRef(false)
  useArrivalFocus(card)
  useFocusBack(isSending, card)
  useEffect(() => {
    if (isEditing && byKeyboard.current)
      leadFocus(card.current?.querySelector<HTMLElement>('input, textarea, select'))
    byKeyboard.current = false
  }, [isEditing])

  const decide = async (decision: ApprovalDecision['decision'], always?: PermissionTerms) => {
    if (isSending) return
    const unfit = always && findPermissionProblems(always, labels)
    setUnfitTerms(unfit)
    if (unfit) return
    const isYes = decision !== 'deny'
    if (isYes && outside !== undefined) return
    const filledIn = isYes && isForm ? missing.read() : empty
    const edited = isYes && isEditing ? form.read() : empty
    if (!filledIn || !edited) return focusProblem(card.current)
    const deciding = () =>
      onDecide({
        decision,
        approvalId,
        values: isYes && isForm ? filledIn : undefined,
        input: isYes && isEditing ? { ...open, ...edited } : undefined,
        ...(decision === 'deny' && reason ? { reason } : {}),
        ...(always ? { remember: always } : {}),
      })
    await send(async () => {
      try {
        await deciding()
      } catch (error) {
        const refused = always && readPermissionProblems(error)
        if (!refused) throw error
        return setUnfitTerms(refused)
      }
      forget(place)
    })
  }

  const stopEditing = () => {
    form.reset()
    setEditing(false)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const target = event.target as HTMLElement
    if ((!isEditing && !isForm) || isSending || isComposing(event)) return
    if (event.key === 'Escape' && isEditing) {
      // Must not stop the answer as well.
      event.preventDefault()
      // However often it is pressed, it loses nothing: it leads to Cancel.
      editButton.current?.focus()
    }
    if (event.key !== 'Enter') return
    // What is sent cannot be taken back: it takes a press of its own, on the button.
    const isLine = target.matches('input:not([type=checkbox])') && !target.closest('.askback-reason')
    if (isLine || (event.repeat && target.matches('button'))) event.preventDefault()
    if (!isLine) return
    const isWhole = (!isForm || missing.read()) && (!isEditing || form.read())
    if (!isWhole) return focusProblem(card.current)
    leadFocus(event.currentTarget.querySelector<HTMLElement>('.askback-primary'))
    setLed(true)
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out like a card
    <div
      ref={card}
      role="group"
      aria-label={labels.approvalNeeded}
      tabIndex={-1}
      className="askback-card askback-question askback-approval"
      data-asks={isForm || undefined}
      aria-describedby={`${id}-question`}
      onKeyDown={onKeyDown}
    >
      {/* What was asked is no longer what is sent. */}
      <QuestionText
        id={`${id}-question`}
        pending={
          isEditing
            ? { asked: labels.editFirst, question: labels.editFirst }
            : besideFields(pending, missing.fields)
        }
        difference={isEditing ? '' : difference}
      />
      {isForm && !outside && (
        // biome-ignore lint/a11y/useSemanticElements: Enter must not send what a button sends
        <div role="form" aria-label={withoutMark(pending.question)}>
          <Fields
            form={missing}
            fields={missing.fields.map((field) => withoutEcho(field, pending.question))}
            disabled={isSending}
          />
        </div>
      )}
      {isForm && !isEditing && (
        <p className="askback-will" dir="auto">
          <BreakingText text={shorten(completed(statement, missing))} />
        </p>
      )}
      {isEditing ? (
        <EditFields form={form} fields={form.fields.filter(isUsed)} disabled={isSending} />
      ) : (
        (!isForm || Object.keys(values).length > 0) && (
          <CallValues toolName={toolName} values={values} sender={account} named={lookedUpNames(pending)} />
        )
      )}
      <AskedAt pending={pending} />
      {approvers && (
        <p className="askback-notice" dir="auto">
          {approvers.sentence}
        </p>
      )}
      {outside && <p className="askback-notice">{labels.inFrame}</p>}
      <div className="askback-actions askback-decision">
        {outside ? (
          <ApproveOutside conversation={outside} pageOf={pageOf} />
        ) : (
          approvers?.canApprove !== false && (
            <button
              type="button"
              className="askback-primary"
              disabled={isSending}
              aria-describedby={isLed ? `${id}-led` : undefined}
              onBlur={() => setLed(false)}
              onClick={() => decide('approve')}
            >
              {button}
            </button>
          )
        )}
        {canEdit && !outside && (
          <button
            ref={editButton}
            type="button"
            disabled={isSending}
            onClick={({ detail }) => {
              // A key press has no click count: keyboard users continue in the first field.
              byKeyboard.current = detail === 0
              if (isEditing) stopEditing()
              else setEditing(true)
            }}
          >
            {isEditing ? labels.cancel : labels.edit}
          </button>
        )}
        {!isEditing && (
          <button type="button" className="askback-deny" disabled={isSending} onClick={() => decide('deny')}>
            {labels.deny}
          </button>
        )}
        {/* Actions that go beyond this one decision also go here. */}
        <div className="askback-besides">
          {!isEditing && (
            <details
              className="askback-reason"
              open={hadReason}
              onToggle={({ currentTarget }) => {
                // Opened by its user, not with the page.
                if (!currentTarget.open || !currentTarget.contains(document.activeElement)) return
                currentTarget.querySelector('input')?.focus({ preventScroll: true })
                currentTarget.scrollIntoView({ block: 'nearest' })
              }}
            >
              <summary title={labels.addReason}>
                <Drawing lines={reasonIcon} />
                <span>{labels.addReason}</span>
              </summary>
              <label htmlFor={`${id}-reason`}>{labels.reasonForDenying}</label>
              <input
                id={`${id}-reason`}
                value={reason}
                maxLength={500}
                dir={reason === '' ? undefined : 'auto'}
                onChange={(event) => setReason(event.target.value)}
                onKeyDown={(event) => {
                  if (event.key === 'Enter' && !isComposing(event)) void decide('deny')
                }}
              />
            </details>
          )}
          {approvers === undefined && names.hasDraft(toolName, values) && !outside && (
            <button type="button" disabled={isSending} onClick={() => decide('draft')}>
              {labels.keepAsDraft}
            </button>
          )}
        </div>
        {isLed && (
          <p id={`${id}-led`} className="askback-quiet askback-led">
            {labels.confirmWith(button)}
          </p>
        )}
        {/* Where the buttons are: the rest of the card can be out of sight. */}
        <Problem>{failure}</Problem>
      </div>
      {remember && !isEditing && !outside && (
        <AlwaysAllow
          pending={pending}
          remember={remember}
          problems={unfitTerms}
          onChange={() => setUnfitTerms(undefined)}
          disabled={isSending}
          onAllow={(terms) => decide('approve', terms)}
        />
      )}
      {/* Below the buttons: from the last field that has a value, the keyboard comes to them first. */}
      {isEditing && others.length > 0 && (
        <details className="askback-kept askback-below">
          <summary>{labels.moreFields}</summary>
          <EditFields form={form} fields={others} disabled={isSending} />
        </details>
      )}
    </div>
  )
}

/** Some fields of the call, with its values. */
function EditFields({ fields, ...others }: Parameters<typeof Fields>[0]) {
  // The values are there already, so they need no hints.
  return <Fields {...others} fields={fields.map((field) => ({ ...field, hint: '' }))} />
}

function Fields({
  form,
  fields,
  disabled,
}: {
  form: SchemaForm
  fields: readonly FormField[]
  disabled: boolean
}) {
  return (
    <div className="askback-fields">
      {fields.map((field) => (
        <Field
          key={field.name}
          field={field}
          disabled={disabled}
          value={form.typed[field.name] ?? ''}
          problem={form.problems[field.name]}
          onChange={(text) => form.type(field.name, text)}
        />
      ))}
    </div>
  )
}

/** For an unknown tool: a schema made from the call's values. */
function schemaOf(values: Record<string, unknown>): FormSchema {
  const typeOf = (value: unknown) =>
    Array.isArray(value) ? 'array' : value === null ? 'string' : typeof value
  return {
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, { type: typeOf(value) }]),
    ),
  }
}

/** What is missing in a statement, as it is being typed. */
function completed(statement: string, { fields, typed }: Pick<SchemaForm, 'fields' | 'typed'>): string {
  const [before, after, ...more] = statement.split('…')
  const [field, ...others] = fields
  const value = field && typed[field.name]?.trim()
  return value && after !== undefined && more.length + others.length === 0
    ? `${before}${value}${after}`
    : statement
}
