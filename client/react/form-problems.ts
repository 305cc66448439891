import { Validator } from '@cfworker/json-schema'
import type { FormSchema } from '../message.ts'
import { showValue } from '../sentence.ts'
import { exampleNumber } from '../typed-number.ts'
import type { FormField } from './form-fields.ts'

/** What is wrong with each field, in words; empty when the values fit the schema. */
export function findProblems(
  schema: FormSchema,
  fields: readonly FormField[],
  values: Record<string, unknown>,
): Record<string, string> {
  const { $defs, definitions } = schema
  const shared = { ...($defs ? { $defs } : {}), ...(definitions ? { definitions } : {}) }
  const problems = fields.flatMap((field): [string, string][] => {
    const value = values[field.name]
    if (value === undefined) return field.required ? [[field.name, `${field.label} is missing.`]] : []
    const { valid } = new Validator({ ...shared, ...field.schema } as object, '2020-12').validate(value)
    return valid ? [] : [[field.name, describeProblem(field, value)]]
  })
  return Object.fromEntries(problems)
}

function describeProblem({ kind, label, schema, placeholder }: FormField, value: unknown): string {
  const format = schema.format ?? schema.items?.format
  const example = placeholder ? ` Example: ${placeholder}.` : ''
  if (format === 'email') {
    const wrong = [value].flat().find((item) => !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(String(item))) ?? value
    return `“${showValue(wrong)}” isn’t a complete email address.${example}`
  }
  if (kind === 'number' && typeof value === 'string') {
    const example = exampleNumber(schema.type === 'integer')
    return `“${showValue(value)}” isn’t a valid number. Example: ${example}.`
  }
  if (kind === 'number') return `${label} must be ${nounOf(schema)}${rangeOf(schema)}.`
  if (format === 'uri') return `${label} must be a web address, such as https://example.com.`
  if (typeof value === 'string' && schema.maxLength !== undefined && value.length > schema.maxLength) {
    return `${label} can have up to ${schema.maxLength} characters.`
  }
  return `${label} isn’t valid.${example}`
}

function nounOf({ type }: FormSchema): string {
  return type === 'integer' ? 'a whole number' : 'a number'
}

function rangeOf({ minimum, maximum }: FormSchema): string {
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`
  if (minimum !== undefined) return ` of at least ${minimum}`
  return maximum === undefined ? '' : ` of at most ${maximum}`
}
