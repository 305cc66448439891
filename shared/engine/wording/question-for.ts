import { clipText } from '../core/clip-text.ts'
import { formatPath } from '../core/json-path.ts'
import type { JsonSchema } from '../core/json-schema.ts'
import { allowedValues, describeInWords, listValues, typeInWords } from '../schema/describe-schema.ts'
import type { Fault } from '../schema/find-faults.ts'
import { findFormat } from '../schema/formats.ts'
import { flattenSchema, listAlternatives, listTypes, tellType } from '../schema/resolve-schema.ts'
import { showSent, showValue } from '../schema/show-value.ts'
import { firstSentence } from './first-sentence.ts'
import { inSentence, type Label, labelParameter } from './parameter-label.ts'

/**
 * The question that a fault asks of whoever can answer it: what is missing is asked for, what is wrong is said to have
 * an issue. `question` and `hint` of the schema come first, then its title,
 * description, type and format.
 *
 * @example
 * const schema = { type: 'string', question: 'Who should I send this email to?', hint: 'Please provide the recipient email address.' }
 * questionFor({ path: ['to'], kind: 'missing', keyword: 'required', place: schema, value: undefined }, schema)
 * // => 'Question: Who should I send this email to? Please provide the recipient email address.'
 */
export function questionFor(fault: Fault, root: JsonSchema): string {
  const shape = withHintSentence(pickShape(root, fault.place))
  if (fault.kind === 'undeclared') return `Question: ${askUndeclared(fault, shape)}`
  const { value } = fault
  const isBlank = value === null || (typeof value === 'string' && value.trim() === '')
  const isMissing = fault.kind === 'missing' || isBlank
  return `Question: ${isMissing ? askMissing(fault, root, shape) : askInvalid(fault, root, shape)}`
}

/** The shape that says most about a place: the first alternative that is more than `null`. */
export function pickShape(root: JsonSchema, place: JsonSchema | boolean): JsonSchema {
  const alternatives = listAlternatives(root, place)
  return (
    alternatives.find((shape) => !listTypes(shape).every((type) => type === 'null')) ??
    flattenSchema(root, place)
  )
}

function askMissing({ path, place }: Fault, root: JsonSchema, shape: JsonSchema): string {
  const label = labelParameter(path, shape)
  const isFlag = listTypes(shape).includes('boolean') && !shape.enum
  const question = isFlag ? `Should ${inSentence(label)} be true or false?` : whatToUse(label, shape)
  const said = firstSentence(shape)
  const provide = isFlag && said !== '' ? `${said}.` : pleaseProvide(said, root, place, shape)
  return `${shape.question ?? question} ${shape.hint ?? provide}`
}

function whatToUse(label: Label, shape: JsonSchema): string {
  if (!label.takesArticle) return `What value should I use for ${inSentence(label)}?`
  const whose = label.owner === '' ? '' : ` for ${label.owner}`
  return `${allowedValues(shape) ? 'Which' : 'What'} ${label.text} should I use${whose}?`
}

/** The author's words as they stand, else what the schema says of the value. */
function pleaseProvide(
  said: string,
  root: JsonSchema,
  place: JsonSchema | boolean,
  shape: JsonSchema,
): string {
  const other = said === '' ? describeInWords(root, place) || 'its value' : `this: ${said}`
  return chooseOne(shape) ?? `Please provide ${other}.`
}

function askInvalid(fault: Fault, root: JsonSchema, shape: JsonSchema): string {
  const format = fault.keyword === 'format' ? findFormat(shape) : undefined
  if (format) {
    const where = `${showSent(root, fault)} in "${formatPath(fault.path)}"`
    return `There seems to be an issue with the ${format.noun} format. Please check that ${where} is a complete ${format.noun} like ${format.example}.`
  }
  const issue = `There seems to be an issue with ${inSentence(labelParameter(fault.path, shape))}.`
  if (shape.hint) return [issue, shape.hint, limitPassed(fault, shape)].filter(Boolean).join(' ')
  if (fault.keyword === 'uniqueItems') return `${issue} Please list each item only once.`
  if (fault.kind !== 'type') {
    const said = fault.keyword === 'pattern' ? firstSentence(shape) : ''
    return `${issue} ${pleaseProvide(said, root, fault.place, shape)}`
  }
  const { value } = fault
  const sent = typeof value === 'object' ? typeInWords(tellType(value)) || 'nothing' : showSent(root, fault)
  return `${issue} ${pleaseProvide('', root, fault.place, shape).replace(/\.$/, '')}, not ${sent}.`
}

/** Hints of other people's tools may be of any length. */
const hintCharacters = 300

/** A hint may only name what belongs there: `the recipient email address`. */
function withHintSentence(shape: JsonSchema): JsonSchema {
  const hint = shape.hint && clipText(shape.hint.trim(), hintCharacters)
  if (!hint || /[.!?…]$|^please\b/i.test(hint)) return { ...shape, hint }
  return { ...shape, hint: `Please provide ${hint}.` }
}

/** Hints say what belongs there, rarely how much of it. */
function limitPassed({ keyword }: Fault, shape: JsonSchema): string | undefined {
  const { minItems, maxItems, maxLength } = shape
  if (keyword === 'maxItems') return `At most ${maxItems} are possible.`
  if (keyword === 'minItems') return `At least ${minItems} ${minItems === 1 ? 'is' : 'are'} needed.`
  if (keyword === 'maxLength') return `At most ${maxLength} characters are possible.`
  return undefined
}

function askUndeclared(fault: Fault, shape: JsonSchema): string {
  const name = String(fault.path.at(-1))
  const names = Object.keys(shape.properties ?? {})
  const around = fault.path.length > 1 ? ` in "${formatPath(fault.path.slice(0, -1))}"` : ''
  const unknown = `There is no parameter ${showValue(name)}${around}.`
  if (names.length === 0) return `${unknown} Please leave it out.`
  return `${unknown} Please use one of these or leave it out: ${listValues(names, String)}.`
}

function chooseOne(shape: JsonSchema): string | undefined {
  const allowed = allowedValues(shape)?.filter((value) => value !== null)
  if (!allowed || allowed.length === 0) return undefined
  return `Please ${allowed.length === 1 ? 'use' : 'choose one of:'} ${listValues(allowed)}.`
}
