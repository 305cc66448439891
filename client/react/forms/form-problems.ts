import { Validator } from '@cfworker/json-schema'
import { isLongNumber } from '../../../shared/engine/core/exact-json.ts'
import { showNumber } from '../../../shared/words/locale.ts'
import type { FormSchema } from '../../api/message.ts'
import type { Labels } from '../../labels/en.ts'
import { showValue } from '../../values/sentence.ts'
import { exampleNumber } from '../../values/typed-number.ts'
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
    const isFit =
      new Validator({ ...shared, ...withoutAddresses(field.schema) } as object, '2020-12').validate(value)
        .valid &&
      !(isForAddress(field) && findUnfitAddress(value) !== undefined) &&
      !(isForNumbers(field.schema) && findTextForNumber(value) !== undefined)
    return isFit ? [] : [[field.name, describeProblem(field, value, labels)]]
  })
  return Object.fromEntries(problems)
}

/** What is wrong with a value that the form or the server refused. */
export function describeProblem(field: FormField, value: unknown, labels: Labels): string {
  const { kind, label, schema, placeholder } = field
  const example = placeholder && labels.example(placeholder)
  const say = (...sentences: string[]) => sentences.filter(Boolean).join(' ')
  if (isForAddress(field))
    return say(labels.isIncompleteEmail(showValue(findUnfitAddress(value) ?? value)), example)
  const isWhole = [schema.type].flat().includes('integer')
  const text = isForNumbers(schema) ? [value].flat().find((one) => typeof one === 'string') : undefined
  if (typeof text === 'string' && isLongNumber(text)) return labels.hasTooManyDigits(text)
  if (kind === 'number' && typeof value === 'string')
    return say(labels.isNoNumber(showValue(value)), labels.example(exampleNumber(isWhole)))
  if (kind === 'number') return labels.mustBeNumber(label, { isWhole, ...rangeOf(schema, labels.locale) })
  if (schema.format === 'uri' || schema.items?.format === 'uri')
    return labels.mustBeWebAddress(label, showValue(value))
  if (typeof value === 'string' && schema.maxLength !== undefined && value.length > schema.maxLength)
    return labels.isTooLong(label, showNumber(schema.maxLength, {}, labels.locale))
  // What is secret is not shown, not even to who has typed it.
  return say(labels.isInvalid(label, kind === 'password' ? undefined : showValue(value)), example)
}

/** Whether a value, or each item of a list, is a number. */
function isForNumbers({ type, items }: FormSchema): boolean {
  const types = [type === 'array' ? items?.type : type].flat()
  return types.includes('number') || types.includes('integer')
}

/** A text that is not the digits of a number which only text can hold. */
function findTextForNumber(value: unknown): unknown {
  return [value].flat().find((one) => typeof one === 'string' && !isLongNumber(one))
}

function isForAddress({ schema }: FormField): boolean {
  return (schema.format ?? schema.items?.format) === 'email'
}

/** JSON Schema's own format knows neither letters of other scripts nor that a host needs a dot. */
function withoutAddresses({ format, items, ...schema }: FormSchema): FormSchema {
  return {
    ...schema,
    ...(format === 'email' ? {} : { format }),
    ...(items ? { items: withoutAddresses(items) } : {}),
  }
}

/** The first that is no address, as the server sees it. */
function findUnfitAddress(value: unknown): unknown {
  return [value].flat().find((item) => !/^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/.test(String(item)))
}

/** In the format that can be typed in. */
const plain = { useGrouping: false, maximumFractionDigits: 20 }

function rangeOf({ minimum, maximum }: FormSchema, locale: string): { least?: string; most?: string } {
  return {
    least: minimum === undefined ? undefined : showNumber(minimum, plain, locale),
    most: maximum === undefined ? undefined : showNumber(maximum, plain, locale),
  }
}
