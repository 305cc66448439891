import { Validator } from '@cfworker/json-schema'
import { withoutHidden } from '../hidden-marks.ts'
import { isSameJson, jsonText } from '../json-text.ts'
import { toLocalInput } from '../local-time.ts'
import type { FormSchema } from '../message.ts'
import { capitalise, labelOf, showValue } from '../sentence.ts'
import { bareAddress, splitList } from '../typed-list.ts'
import { exampleNumber, hasDecimalComma, readNumber, showTypedNumber } from '../typed-number.ts'

/** How a value is typed in. */
export type FieldKind =
  | 'text'
  | 'email'
  | 'url'
  | 'date'
  | 'datetime-local'
  | 'number'
  | 'password'
  | 'long'
  | 'choice'
  | 'check'
  | 'list'
  /** Things that are there already, to be taken out. */
  | 'items'
  | 'json'

/** One field of a form. */
export interface FormField {
  name: string
  label: string
  kind: FieldKind
  schema: FormSchema
  required: boolean
  hint: string
  placeholder: string
}

/** The fields of an object schema, in its order; `values` tells long texts from short ones. */
export function listFields(schema: FormSchema, values: Record<string, unknown> = {}): FormField[] {
  return Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const { title, hint, description, examples, default: usual } = field
    const example = usual ?? examples?.[0]
    const label = title ? capitalise(title) : labelOf(name)
    const required = (schema.required ?? []).includes(name) && usual === undefined
    const kind = kindOf(name, field, values[name])
    // A box that is not ticked may be a no, or no answer at all.
    const mustChoose = kind === 'check' && required && values[name] === undefined
    return {
      name,
      label,
      kind: mustChoose ? 'choice' : kind,
      schema: mustChoose ? { ...field, enum: [true, false] } : field,
      required,
      hint: withoutEcho(hint ?? description ?? '', label),
      placeholder:
        field.secret || example === undefined || typeof example === 'boolean' ? '' : showValue(example),
    }
  })
}

/** So many choices are all shown at once. */
const mostChips = 5

/** The choices of a field, where they are few enough to be seen at once; undefined for every other field. */
export function listChips({ kind, schema: { enum: choices = [] } }: FormField): unknown[] | undefined {
  return kind === 'choice' && choices.length > 0 && choices.length <= mostChips ? choices : undefined
}

/** A choice as it is read. */
export function nameChoice(choice: unknown): string {
  return choice === true ? 'Yes' : choice === false ? 'No' : withoutHidden(String(choice))
}

/** A hint that only says the label again, or lists what can be chosen, says nothing. */
function withoutEcho(hint: string, label: string): string {
  const said = hint.replace(/^(?:the|a|an|value of)\s+/i, '').toLowerCase()
  return said === label.toLowerCase() || /^(?:one of: |date(?: and time)?$)/.test(said) ? '' : hint
}

/** A text that may have more characters than these gets several lines. */
const longestLine = 30_000

function kindOf(name: string, schema: FormSchema, value: unknown): FieldKind {
  const type = [schema.type ?? []].flat().find((one) => one !== 'null')
  if (schema.secret) return 'password'
  if (schema.enum) return 'choice'
  if (type === 'boolean') return 'check'
  if (type === 'integer' || type === 'number') return 'number'
  if (type === 'array' && isPlain(schema.items) && !hasParts(value)) return 'list'
  if (type === 'array') return Array.isArray(value) ? 'items' : 'json'
  if (type === 'object') return 'json'
  if (schema.format === 'email') return 'email'
  if (schema.format === 'uri') return 'url'
  if (schema.format === 'date') return 'date'
  if (schema.format === 'date-time') return 'datetime-local'
  const isLong =
    (typeof value === 'string' && value.includes('\n')) ||
    /^(?:body|html|content|text|message|instructions)$/.test(name)
  return isLong || (schema.maxLength ?? 0) > longestLine ? 'long' : 'text'
}

/** Whether a list has items that no line of text can hold. */
function hasParts(value: unknown): boolean {
  if (!Array.isArray(value)) return false
  const texts = value.map(String)
  return value.some((item) => typeof item === 'object') || !isSameJson(splitList(texts.join(', ')), texts)
}

function isPlain(items: FormSchema | undefined): boolean {
  const type = [items?.type ?? 'string'].flat()[0]
  return type === 'string' || type === 'number' || type === 'integer'
}

/** What stands in the input for a value: numbers as they are written here, moments in the reader's zone. */
export function showInput({ kind }: FormField, value: unknown): string {
  if (value === undefined || value === null) return ''
  const show = (one: unknown) => (typeof one === 'number' ? showTypedNumber(one) : String(one))
  if (kind === 'list') return Array.isArray(value) ? value.map(show).join(', ') : String(value)
  if (kind === 'json' || kind === 'items') return jsonText(value)
  if (kind === 'datetime-local') return toLocalInput(String(value))
  return kind === 'number' ? show(value) : String(value)
}

/**
 * The value of what was typed; undefined for nothing. What shows `before` is that value: an input may show less of it than
 * there is. A text that is no number or no JSON stays a text, and fails the schema.
 */
export function readInput(field: FormField, typed: string, before?: unknown): unknown {
  const { kind, schema } = field
  if (before !== undefined && typed === showInput(field, before)) return before
  const text = kind === 'long' || kind === 'password' ? typed : typed.trim()
  if (kind === 'check') return typed === 'true'
  if (text === '') return undefined
  switch (kind) {
    case 'number':
      return readNumber(text) ?? text
    case 'list':
      return readItems(schema.items, text)
    case 'email':
      return bareAddress(text)
    case 'choice':
      return schema.enum?.find((choice) => String(choice) === text) ?? text
    case 'datetime-local':
      return Number.isNaN(Date.parse(text)) ? text : new Date(text).toISOString()
    case 'items':
    case 'json':
      try {
        return JSON.parse(text)
      } catch {
        return text
      }
    default:
      return text
  }
}

function readItems(items: FormSchema | undefined, text: string): unknown[] {
  const type = String(items?.type)
  if (!/number|integer/.test(type)) {
    const texts = splitList(text)
    return items?.format === 'email' ? texts.map(bareAddress) : texts
  }
  // A comma that stands in a number ends none, unless a blank follows.
  const isDecimal = /number/.test(type) && hasDecimalComma()
  return splitList(isDecimal ? text.replace(/,\s/g, ';') : text, isDecimal ? ';\n' : undefined).map(
    (item) => readNumber(item) ?? item,
  )
}

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
  if (kind === 'number') return `${label} is ${nounOf(schema)}${rangeOf(schema)}.`
  if (format === 'uri') return `${label} is a web address, such as https://example.com.`
  if (typeof value === 'string' && schema.maxLength !== undefined && value.length > schema.maxLength) {
    return `${label} is too long: at most ${schema.maxLength} characters.`
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
