import { Validator } from '@cfworker/json-schema'
import type { Labels } from '../labels/en.ts'
import { showNumber } from '../locale.ts'
import type { FormSchema } from '../message.ts'
import { showValue } from '../sentence.ts'
import { exampleNumber } from '../typed-number.ts'
import type { FormField } from './form-fields.ts'

/** The problems of each field, in words; empty if the values fit the schema. */
export function findProblems(
  schema: FormSchema,
  fields: readonly FormField[],
  values: Record<string, unknown>,
  labels: Labels,
): Record<string, string> {
  const { $defs, definitions } = schema
  const shared = { ...($defs ? { $defs } : {}), ...(definitions ? { definitions } : {}) }
  const problems = fields.flatMap((field): [string, string][] => {
    const value = values[field.name]
    if (value === undefined) return field.required ? [[field.name, labels.isMissing(field.label)]] : []
    const { valid } = new Validator({ ...shared, ...field.schema } as object, '2020-12').validate(value)
    return valid ? [] : [[field.name, describeProblem(field, value, labels)]]
  })
  return Object.fromEntries(problems)
}

/** What is wrong with a value that the form or the server refused. */
export function describeProblem(
  { kind, label, schema, placeholder }: FormField,
  value: unknown,
  labels: Labels,
): string {
  const format = schema.format ?? schema.items?.format
  const example = placeholder && labels.example(placeholder)
  const say = (...sentences: string[]) => sentences.filter(Boolean).join(' ')
  if (format === 'email') {
    const wrong = [value].flat().find((item) => !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(String(item))) ?? value
    return say(labels.isIncompleteEmail(showValue(wrong)), example)
  }
  const isWhole = schema.type === 'integer'
  if (kind === 'number' && typeof value === 'string')
    return say(labels.isNoNumber(showValue(value)), labels.example(exampleNumber(isWhole)))
  if (kind === 'number') return labels.mustBeNumber(label, { isWhole, ...rangeOf(schema, labels.locale) })
  if (format === 'uri') return labels.mustBeWebAddress(label)
  if (typeof value === 'string' && schema.maxLength !== undefined && value.length > schema.maxLength)
    return labels.isTooLong(label, showNumber(schema.maxLength, {}, labels.locale))
  return say(labels.isInvalid(label), example)
}

/** In the format that can be typed in. */
const plain = { useGrouping: false, maximumFractionDigits: 20 }

function rangeOf({ minimum, maximum }: FormSchema, locale: string): { least?: string; most?: string } {
  return {
    ...(minimum === undefined ? {} : { least: showNumber(minimum, plain, locale) }),
    ...(maximum === undefined ? {} : { most: showNumber(maximum, plain, locale) }),
  }
}
