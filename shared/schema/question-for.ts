import { firstSentenceOf, labelOf, nounPhrase } from './describe-parameter.ts'
import { allowedValues, describeInWords } from './describe-schema.ts'
import type { Fault } from './find-faults.ts'
import { formatPath, type JsonPath } from './json-path.ts'
import type { JsonSchema } from './json-schema.ts'
import { alternativesOf, flattenSchema, typeOf, typesOf } from './resolve-schema.ts'
import { showSent, showValue } from './show-value.ts'

const formatQuestions: Record<string, { label: string; advice: string }> = {
  email: { label: 'email address format', advice: 'a complete email address like name@example.com' },
  uri: { label: 'URL format', advice: 'a complete URL like https://example.com/page' },
  date: { label: 'date format', advice: 'a real date written like 2025-01-31' },
  'date-time': {
    label: 'date and time format',
    advice: 'a date, time and time zone written like 2025-01-31T09:30:00Z',
  },
  uuid: { label: 'identifier format', advice: 'a UUID like 123e4567-e89b-42d3-a456-426614174000' },
}

/**
 * The question that a fault asks of whoever can answer it, by the patterns of DESIGN section 4: what is missing is asked
 * for, what is wrong is said to have an issue. `question` and `hint` of the schema come first, then its title,
 * description, type and format.
 *
 * @example
 * const schema = { type: 'string', question: 'Who should I send this email to?', hint: 'Please provide the recipient email address.' }
 * questionFor({ path: ['to'], kind: 'missing', keyword: 'required', place: schema, value: undefined }, schema)
 * // => 'Question: Who should I send this email to? Please provide the recipient email address.'
 */
export function questionFor(fault: Fault, root: JsonSchema): string {
  const shape = shapeOf(root, fault.place)
  if (fault.kind === 'undeclared') return `Question: ${askUndeclared(fault, shape)}`
  const blank = fault.keyword === 'blank' || fault.value === null || fault.value === ''
  return `Question: ${fault.kind === 'missing' || blank ? askMissing(fault.path, shape) : askInvalid(fault, root, shape)}`
}

/** The shape that says most about a place: the first alternative that is more than `null`. */
export function shapeOf(root: JsonSchema, place: JsonSchema | boolean): JsonSchema {
  const alternatives = alternativesOf(root, place)
  return (
    alternatives.find((shape) => !typesOf(shape).every((type) => type === 'null')) ??
    flattenSchema(root, place)
  )
}

function askMissing(path: JsonPath, shape: JsonSchema): string {
  const label = labelOf(path, shape)
  const types = typesOf(shape)
  const allowed = shownChoices(shape)
  const provide = `Please provide ${nounPhrase(shape) || `the ${label}`}.`
  if (shape.question) return `${shape.question} ${shape.hint ?? provide}`
  if (types.includes('boolean')) {
    const about = shape.hint ?? firstSentenceOf(shape)
    return `Should "${label}" be true or false?${about === '' ? '' : ` ${about}`}`
  }
  if (allowed) return `Which ${label} should I use? ${shape.hint ?? `Please choose one of: ${allowed}.`}`
  const word = types.includes('array') || shape.format?.startsWith('date') ? 'Which' : 'What'
  return `${word} ${label} should I use? ${shape.hint ?? provide}`
}

function askInvalid(fault: Fault, root: JsonSchema, shape: JsonSchema): string {
  const label = labelOf(fault.path, shape)
  const format = fault.keyword === 'format' ? formatQuestions[shape.format ?? ''] : undefined
  if (format) {
    const where = `${showSent(fault.path, fault.value)} in "${formatPath(fault.path)}"`
    return `There seems to be an issue with the ${format.label}. ${shape.hint ?? `Please check that ${where} is ${format.advice}.`}`
  }
  const issue = `There seems to be an issue with the ${label}.`
  if (shape.hint) return [issue, shape.hint, limitPassed(fault, shape)].filter(Boolean).join(' ')
  const allowed = shownChoices(shape)
  if (allowed) return `${issue} Please choose one of: ${allowed}.`
  const not = fault.kind === 'type' ? `, not ${wrongThing(fault, typesOf(shape))}` : ''
  return `${issue} Please provide ${describeInWords(root, fault.place)}${not}.`
}

/** Hints say what belongs there, rarely how much of it. */
function limitPassed({ keyword }: Fault, shape: JsonSchema): string | undefined {
  const { minItems, maxItems, maxLength } = shape
  if (keyword === 'maxItems') return `At most ${maxItems} are possible.`
  if (keyword === 'minItems') return `At least ${minItems} ${minItems === 1 ? 'is' : 'are'} needed.`
  if (keyword === 'maxLength') return `At most ${maxLength} characters are possible.`
  return undefined
}

const typeWords: Record<string, string> = {
  string: 'a text',
  array: 'a list',
  object: 'an object',
  boolean: 'true or false',
  null: 'nothing',
}

/** What was sent instead, by its type; by its value where the type is nearly right. */
function wrongThing({ path, value }: Fault, types: string[]): string {
  if (typeof value === 'number' || typeof value === 'boolean') return showSent(path, value)
  if (typeof value === 'string' && !types.includes('array') && !types.includes('object'))
    return showSent(path, value)
  return typeWords[typeOf(value)] ?? 'nothing'
}

function askUndeclared(fault: Fault, shape: JsonSchema): string {
  const name = String(fault.path.at(-1))
  const names = Object.keys(shape.properties ?? {})
  const around = fault.path.length > 1 ? ` in "${formatPath(fault.path.slice(0, -1))}"` : ''
  if (names.length === 0) return `There is no parameter ${showValue(name)}${around}. Please leave it out.`
  const known = names.slice(0, 15).join(', ')
  return `There is no parameter ${showValue(name)}${around}. Which of these did you mean: ${known}? Please use one of them or leave it out.`
}

function shownChoices(shape: JsonSchema): string | undefined {
  const allowed = allowedValues(shape)
  if (!allowed) return undefined
  const shown = allowed
    .slice(0, 15)
    .map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
  return shown.join(', ') + (allowed.length > shown.length ? ', …' : '')
}
