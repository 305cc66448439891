import { withoutHidden } from '../../../shared/words/hidden-marks.ts'
import { splitList } from '../../../shared/words/typed-list.ts'
import type { FormSchema } from '../../api/message.ts'
import type { Labels } from '../../labels/en.ts'
import { capitalise } from '../../values/capitalise.ts'
import { isSameJson } from '../../values/json-text.ts'
import { labelOf, showValue } from '../../values/sentence.ts'

/** The kind of input for a value. */
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
  /** Any of a few choices. */
  | 'several'
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

/** The fields of an object schema, in order; `values` tells long texts from short ones. */
export function listFields(schema: FormSchema, values: Record<string, unknown> = {}): FormField[] {
  return Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const { title, hint, description, examples, default: usual } = field
    const example = usual ?? examples?.[0]
    const label = title ? capitalise(title) : labelOf(name)
    const required = (schema.required ?? []).includes(name) && usual === undefined
    const kind = kindOf(field, values[name])
    // An unticked box may mean no, or no answer.
    const mustChoose = kind === 'check' && required && values[name] === undefined
    return {
      name,
      label,
      kind: mustChoose ? 'choice' : kind,
      schema: mustChoose ? { ...field, enum: [true, false] } : field,
      required,
      hint: withoutNames(hint ?? description ?? '', [label]),
      placeholder:
        field.secret || example === undefined || typeof example === 'boolean' ? '' : showValue(example),
    }
  })
}

/** Up to this many choices are shown as chips. */
const mostChips = 5

/** The choices of a field if there are few enough for chips; otherwise undefined. */
export function listChips({ kind, schema: { enum: choices = [] } }: FormField): unknown[] | undefined {
  return kind === 'choice' && choices.length > 0 && choices.length <= mostChips ? choices : undefined
}

/** The label of a choice. */
export function nameChoice(
  choice: unknown,
  { yes, no }: Pick<Labels, 'yes' | 'no'>,
  { choices }: Pick<FormSchema, 'choices'> = {},
): string {
  const named = typeof choice === 'string' ? choices?.[choice] : undefined
  if (named !== undefined) return named
  return choice === true ? yes : choice === false ? no : withoutHidden(String(choice))
}

/** A field without a hint that its question already says. */
export function withoutEcho(field: FormField, question: string): FormField {
  return question.includes(field.hint) ? { ...field, hint: '' } : field
}

/** Words around a name that say no more than it does: `Please provide the`. */
const mostAround = 3

/** A hint without the sentences that only name a field, as its label does: `Please provide the recipient email address.` */
export function withoutNames(hint: string, labels: readonly string[]): string {
  const sentences = hint.split(/(?<=[.!?…])\s+/)
  return sentences.filter((one) => !labels.some((label) => onlyNames(one, label))).join(' ')
}

function onlyNames(sentence: string, label: string): boolean {
  const said = ` ${sentence.toLowerCase().replace(/[.!]$/, '')}`
  const named = ` ${label.toLowerCase()}`
  return said.endsWith(named) && said.slice(0, -named.length).split(' ').length - 1 <= mostAround
}

/** Texts that may be longer than this get a multi-line input. */
const longestLine = 30_000

function kindOf(schema: FormSchema, value: unknown): FieldKind {
  const type = [schema.type ?? []].flat().find((one) => one !== 'null')
  if (schema.secret) return 'password'
  if (schema.enum) return 'choice'
  if (type === 'boolean') return 'check'
  if (type === 'integer' || type === 'number') return 'number'
  if (type === 'array' && schema.items?.enum && isChosen(schema.items.enum, value)) return 'several'
  if (type === 'array' && isPlain(schema.items) && !hasParts(value)) return 'list'
  if (type === 'array') return Array.isArray(value) ? 'items' : 'json'
  if (type === 'object') return 'json'
  if (schema.format === 'email') return 'email'
  if (schema.format === 'uri') return 'url'
  if (schema.format === 'date') return 'date'
  if (schema.format === 'date-time') return 'datetime-local'
  const isLong = typeof value === 'string' && value.includes('\n')
  return isLong || (schema.maxLength ?? 0) > longestLine ? 'long' : 'text'
}

/** Whether a value is a list of nothing but choices; a missing one is. */
function isChosen(choices: readonly unknown[], value: unknown = []): boolean {
  return Array.isArray(value) && value.every((one) => choices.includes(one))
}

/** Whether a list has items that do not fit on one line of text. */
function hasParts(value: unknown): boolean {
  if (!Array.isArray(value)) return false
  const texts = value.map(String)
  return value.some((item) => typeof item === 'object') || !isSameJson(splitList(texts.join(', ')), texts)
}

function isPlain(items: FormSchema | undefined): boolean {
  const type = [items?.type ?? 'string'].flat()[0]
  return type === 'string' || type === 'number' || type === 'integer'
}
