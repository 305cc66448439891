import { clipText } from '../core/clip-text.ts'
import { formatPath } from '../core/json-path.ts'
import type { JsonSchema } from '../core/json-schema.ts'
import { describeInWords, listValues, typeInWords } from '../schema/describe-schema.ts'
import type { Fault } from '../schema/find-faults.ts'
import { findFormat } from '../schema/formats.ts'
import {
  allowedValues,
  flattenSchema,
  jsonTypeOf,
  listAlternatives,
  listTypes,
} from '../schema/resolve-schema.ts'
import { showSent, showValue } from '../schema/show-value.ts'
import { firstSentence } from './first-sentence.ts'
import { inSentence, type Label, labelParameter, withoutWrapper } from './parameter-label.ts'

/**
 * The question that a fault asks whoever can answer it: a missing value is asked for, a wrong one is said to have
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
  return `Question: ${isMissing(fault) ? join(askMissing(fault, root, shape)) : join(askInvalid(fault, root, shape))}`
}

/** A question in two parts: what is asked, and what to enter. */
export interface QuestionParts {
  asked: string
  hint: string
}

/**
 * The same question for a person, who sees the field that it is about: without the path to it, and without a name
 * that is not made of words. There is nothing to ask about a parameter that does not exist.
 */
export function questionPartsFor(fault: Fault, root: JsonSchema): QuestionParts {
  const shape = withHintSentence(pickShape(root, fault.place))
  return isMissing(fault) || fault.kind === 'undeclared'
    ? askMissing(fault, root, shape, true)
    : askInvalid(fault, root, shape, true)
}

function isMissing({ kind, value }: Fault): boolean {
  return kind === 'missing' || value === null || (typeof value === 'string' && value.trim() === '')
}

function join({ asked, hint }: QuestionParts): string {
  return hint === '' ? asked : `${asked} ${hint}`
}

/** The shape that says most about a place: the first alternative other than `null`. */
export function pickShape(root: JsonSchema, place: JsonSchema | boolean): JsonSchema {
  const alternatives = listAlternatives(root, place)
  return (
    alternatives.find((shape) => !listTypes(shape).every((type) => type === 'null')) ??
    flattenSchema(root, place)
  )
}

function askMissing(
  { path, place }: Fault,
  root: JsonSchema,
  shape: JsonSchema,
  plain = false,
): QuestionParts {
  const label = labelParameter(withoutWrapper(root, path), shape)
  const isFlag = listTypes(shape).includes('boolean') && !shape.enum
  const question = isFlag
    ? `Should ${plain ? 'it' : inSentence(label)} be true or false?`
    : plain && !label.takesArticle
      ? 'What value should I use?'
      : whatToUse(label, listChoices(root, place) !== undefined)
  const said = firstSentence(shape)
  const provide =
    isFlag && said !== '' ? `${said}${/…$/.test(said) ? '' : '.'}` : pleaseProvide(said, root, place)
  return { asked: shape.question ?? question, hint: shape.hint ?? provide }
}

function whatToUse(label: Label, isChoice: boolean): string {
  if (!label.takesArticle) return `What value should I use for ${inSentence(label)}?`
  const whose = label.owner === '' ? '' : ` for ${label.owner}`
  return `${isChoice ? 'Which' : 'What'} ${label.text} should I use${whose}?`
}

/** The author's own words, else what the schema says about the value. */
function pleaseProvide(said: string, root: JsonSchema, place: JsonSchema | boolean): string {
  const other = said === '' ? describeInWords(root, place) || 'its value' : `this: ${said}`
  return chooseOne(root, place) ?? `Please provide ${other}${/…$/.test(other) ? '' : '.'}`
}

function askInvalid(fault: Fault, root: JsonSchema, shape: JsonSchema, plain = false): QuestionParts {
  if (plain && shape.unfit) return { asked: shape.unfit, hint: '' }
  const format = fault.keyword === 'format' ? findFormat(shape) : undefined
  const sentValue = showSent(root, fault)
  if (format) {
    const where = `${sentValue}${plain ? '' : ` in "${formatPath(fault.path)}"`}`
    return {
      asked: `There seems to be an issue with the ${format.noun} format.`,
      hint: showsSomething(sentValue)
        ? `Please check that ${where} is a complete ${format.noun} like ${format.example}.`
        : `Please provide a complete ${format.noun} like ${format.example}.`,
    }
  }
  const label = labelParameter(withoutWrapper(root, fault.path), shape)
  const what = plain && !label.takesArticle ? 'this value' : inSentence(label)
  const asked = `There seems to be an issue with ${what}.`
  if (fault.keyword === 'digits') {
    const provide = pleaseProvide('', root, fault.place)
    return { asked, hint: `${fault.value} has more digits than can be kept exactly. ${provide}` }
  }
  if (shape.hint) return { asked, hint: [shape.hint, limitPassed(fault, shape)].filter(Boolean).join(' ') }
  if (fault.keyword === 'uniqueItems') return { asked, hint: 'Please list each item only once.' }
  if (fault.kind !== 'type') {
    const said = fault.keyword === 'pattern' ? firstSentence(shape) : ''
    return { asked, hint: pleaseProvide(said, root, fault.place) }
  }
  const { value } = fault
  const sent = typeof value === 'object' ? typeInWords(jsonTypeOf(value)) || 'nothing' : sentValue
  return { asked, hint: `${pleaseProvide('', root, fault.place).replace(/\.$/, '')}, not ${sent}.` }
}

/** Whether anything of a value is visible: some characters have no width. */
function showsSomething(shown: string): boolean {
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(shown.replace(/^"|"$/g, '').replace(/\p{Cf}/gu, ''))
}

/** Hints of other people's tools may be of any length. */
const hintCharacters = 300

/** A hint may only name what belongs there: `the recipient email address`. */
export function withHintSentence(shape: JsonSchema): JsonSchema {
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

/** Every value that fits, if only listed ones do. */
export function listChoices(root: JsonSchema, place: JsonSchema | boolean): unknown[] | undefined {
  const shapes = listAlternatives(root, place).filter((shape) => listTypes(shape).join() !== 'null')
  const values = shapes.map(allowedValues)
  return values.length > 0 && values.every((list) => list !== undefined)
    ? [...new Set(values.flat())]
    : undefined
}

function chooseOne(root: JsonSchema, place: JsonSchema | boolean): string | undefined {
  const allowed = listChoices(root, place)?.filter((value) => value !== null)
  if (!allowed || allowed.length === 0) return undefined
  return `Please ${allowed.length === 1 ? 'use' : 'choose one of:'} ${listValues(allowed)}.`
}
