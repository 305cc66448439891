import { useMemo, useState } from 'react'
import type { FormSchema } from '../message.ts'
import { type FormField, findProblems, listFields, readInput, showInput } from './form-fields.ts'

/** A form made from a schema: what was typed, and what is wrong with it after the first try to send it. */
export interface SchemaForm {
  fields: FormField[]
  typed: Record<string, string>
  problems: Record<string, string>
  type(name: string, text: string): void
  /** Says what is wrong, from elsewhere: the server checks more than the schema. */
  report(problems: Record<string, string>): void
  /** The values, or undefined when something is wrong with them. */
  read(): Record<string, unknown> | undefined
}

export function useForm(schema: FormSchema, initial: Record<string, unknown> = {}): SchemaForm {
  const fields = useMemo(() => listFields(schema, initial), [schema, initial])
  const [typed, setTyped] = useState<Record<string, string>>({})
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
      setTyped((before) => ({ ...before, [name]: text }))
      setProblems(({ [name]: _, ...others }) => others)
    },
    report: setProblems,
    read() {
      const entries = fields.map((field): [string, unknown] => [
        field.name,
        readInput(field, shown[field.name] ?? '', initial[field.name]),
      ])
      const values = Object.fromEntries(
        entries.filter(([name, value]) => value !== undefined && !isUntouched(name, value)),
      )
      const found = findProblems(schema, fields, values)
      setProblems(found)
      return Object.keys(found).length === 0 ? values : undefined
    },
  }

  /** A box that nobody ticked, of a call that has no such value, is no answer. */
  function isUntouched(name: string, value: unknown): boolean {
    return value === false && typed[name] === undefined && initial[name] === undefined
  }
}
