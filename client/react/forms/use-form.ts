import { useMemo, useState } from 'react'
import type { FormSchema } from '../../api/message.ts'
import { useLabels } from '../labels/use-labels.ts'
import { readInput, showInput } from './field-input.ts'
import { type FormField, listFields } from './form-fields.ts'
import { describeProblem, findProblems } from './form-problems.ts'
import { useKept } from './use-kept.ts'

type Texts = Record<string, string>
const nothing: Texts = {}

/** A form made from a schema: what was typed, and its problems after the first attempt to send it. */
export interface SchemaForm {
  fields: FormField[]
  typed: Record<string, string>
  problems: Record<string, string>
  type(name: string, text: string): void
  /** Shows problems found elsewhere: the server checks more than the schema. */
  report(problems: Record<string, string>): void
  /** The same for problems by path, in the words of the labels. */
  refuse(problems: readonly { parameter?: string }[]): void
  /** Discards what was typed. */
  reset(): void
  /** The values, or undefined if any is invalid. */
  read(): Record<string, unknown> | undefined
}

/** `place`: where typed values are kept, except for secrets, which are never kept. */
export function useForm(
  schema: FormSchema,
  initial: Record<string, unknown> = {},
  place?: string,
): SchemaForm {
  const labels = useLabels()
  const fields = useMemo(() => listFields(schema, initial), [schema, initial])
  const [open, setOpen] = useKept(place, nothing)
  const [secret, setSecret] = useState(nothing)
  const typed = { ...open, ...secret }
  const [problems, setProblems] = useState<Record<string, string>>({})
  const shown = Object.fromEntries(
    fields.map((field) => [
      field.name,
      typed[field.name] ??
        showInput(field, initial[field.name] ?? (field.kind === 'choice' ? field.schema.default : undefined)),
    ]),
  )
  return {
    fields,
    typed: shown,
    problems,
    type(name, text) {
      const set = isSecret(schema.properties?.[name]) ? setSecret : setOpen
      set((before) => ({ ...before, [name]: text }))
      setProblems(({ [name]: _, ...others }) => others)
    },
    report: setProblems,
    refuse(refused) {
      const found = fields.flatMap((field): [string, string][] => {
        const one = refused.find(({ parameter = '' }) => parameter.split(/[.[]/)[0] === field.name)
        if (one === undefined) return []
        const value = readInput(field, shown[field.name] ?? '', initial[field.name])
        return [
          [
            field.name,
            value === undefined ? labels.isMissing(field.label) : describeProblem(field, value, labels),
          ],
        ]
      })
      setProblems(Object.fromEntries(found))
    },
    reset() {
      setOpen(nothing)
      setSecret(nothing)
      setProblems({})
    },
    read() {
      const entries = fields.map((field): [string, unknown] => [
        field.name,
        readInput(field, shown[field.name] ?? '', initial[field.name]),
      ])
      const values = Object.fromEntries(
        entries.filter(([name, value]) => value !== undefined && !isUntouched(name, value)),
      )
      const found = findProblems(schema, fields, values, labels)
      setProblems(found)
      return Object.keys(found).length === 0 ? values : undefined
    },
  }

  /** An unticked box does not count as an answer if the call has no value for it. */
  function isUntouched(name: string, value: unknown): boolean {
    return value === false && typed[name] === undefined && initial[name] === undefined
  }
}

/** Whether a field, or anything in it, is secret. */
function isSecret(schema: FormSchema | undefined): boolean {
  if (schema === undefined) return false
  const { secret, format, items, properties = {} } = schema
  return (
    secret === true || format === 'password' || isSecret(items) || Object.values(properties).some(isSecret)
  )
}
