import { clipText } from '../core/clip-text.ts'
import { formatPath } from '../core/json-path.ts'
import type { JsonSchema } from '../core/json-schema.ts'
import { allowedValues, listValues } from '../schema/describe-schema.ts'
import type { Fault } from '../schema/find-faults.ts'
import { findFormat } from '../schema/formats.ts'
import { flattenSchema, listAlternatives, listTypes, tellType } from '../schema/resolve-schema.ts'
import { showSent, showValue } from '../schema/show-value.ts'
import { describeInWords } from './describe-in-words.ts'
import { readPhrase, readYesNo } from './description-phrase.ts'
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
  if (listTypes(shape).includes('boolean') && !shape.enum) return askYesNo(label, shape)
  return `${shape.question ?? whatToUse(label, shape)} ${shape.hint ?? pleaseProvide(label, shape, describeInWords(root, place))}`
}

function whatToUse(label: Label, shape: JsonSchema): string {
  const { text, owner, isPlural, takesArticle } = label
  const whose = owner === '' ? '' : ` for ${owner}`
  if (!takesArticle) return `What value should I use for ${inSentence(label)}?`
  const types = listTypes(shape)
  const isCounted =
    isPlural && !notCounted.test(text) && (types.includes('integer') || types.includes('number'))
  if (isCounted) return `How many ${text} should I use${whose}?`
  const isChosen = isPlural || shape.format?.startsWith('date') || allowedValues(shape)
  return `${isChosen ? 'Which' : 'What'} ${text} should I use${whose}?`
}

/** "How many max pages?" is no question. */
const notCounted = /\bof\b|^(?:max|min|maximum|minimum|total|limit|default)\b/

function pleaseProvide(label: Label, shape: JsonSchema, inWords: string): string {
  const choice = chooseOne(shape)
  if (choice) return choice
  const phrase = readPhrase(shape)
  if (!phrase) {
    const saysLittle = inWords === 'text' || inWords === 'another value'
    if (!saysLittle || !label.takesArticle)
      return `Please provide ${inWords === 'another value' ? 'its value' : inWords}.`
    return `Please provide the ${label.text}.`
  }
  switch (phrase.kind) {
    case 'thing':
      return `Please provide ${phrase.text}.`
    case 'clause':
      return `Please say ${phrase.text}.`
    case 'note':
      return label.takesArticle
        ? `Please provide the ${label.text} (${phrase.text.replace(/ \([^)]*\)$/, '')}).`
        : `Please provide this: ${phrase.text}.`
    case 'foreign':
      return `Please provide this: ${phrase.text}.`
  }
}

function askYesNo(label: Label, shape: JsonSchema): string {
  const about = readYesNo(shape)
  if (shape.question) return `${shape.question} ${shape.hint ?? 'Please answer true or false.'}`
  if (about?.kind === 'act') return `Should I ${about.text}? ${shape.hint ?? 'Please answer true or false.'}`
  const question = `Should ${inSentence(label)} be true or false?`
  if (shape.hint) return `${question} ${shape.hint}`
  if (!about) return question
  return `${question} ${about.kind === 'state' ? `Please say whether ${about.text}` : about.text}.`
}

function askInvalid(fault: Fault, root: JsonSchema, shape: JsonSchema): string {
  const format = fault.keyword === 'format' ? findFormat(shape)?.fault : undefined
  if (format) {
    const where = `${showSent(root, fault)} in "${formatPath(fault.path)}"`
    return `There seems to be an issue with the ${format.label}. Please check that ${where} is ${format.advice}.`
  }
  const issue = `There seems to be an issue with ${inSentence(labelParameter(fault.path, shape))}.`
  if (shape.hint) return [issue, shape.hint, limitPassed(fault, shape)].filter(Boolean).join(' ')
  const choice = chooseOne(shape)
  if (choice) return `${issue} ${choice}`
  if (fault.keyword === 'uniqueItems') return `${issue} Please list each item only once.`
  const not = fault.kind === 'type' ? `, not ${wrongThing(root, fault, listTypes(shape))}` : ''
  const inWords = describeInWords(root, fault.place)
  const phrase = fault.keyword === 'pattern' ? readPhrase(shape) : undefined
  if (phrase?.kind === 'thing') return `${issue} Please provide ${phrase.text} (${inWords}).`
  return `${issue} Please provide ${inWords}${not}.`
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

const typeWords: Record<string, string> = {
  string: 'text',
  array: 'a list',
  object: 'an object',
  boolean: 'true or false',
  null: 'nothing',
}

/** What was sent instead, by its type; by its value where the type is nearly right. */
function wrongThing(root: JsonSchema, fault: Fault, types: string[]): string {
  const { value } = fault
  if (typeof value === 'number' || typeof value === 'boolean') return showSent(root, fault)
  if (typeof value === 'string' && !types.includes('array') && !types.includes('object'))
    return showSent(root, fault)
  return typeWords[tellType(value)] ?? 'nothing'
}

function askUndeclared(fault: Fault, shape: JsonSchema): string {
  const name = String(fault.path.at(-1))
  const names = Object.keys(shape.properties ?? {})
  const around = fault.path.length > 1 ? ` in "${formatPath(fault.path.slice(0, -1))}"` : ''
  const unknown = `There is no parameter ${showValue(name)}${around}.`
  if (names.length === 0) return `${unknown} Please leave it out.`
  return `${unknown} Please use one of these or leave it out: ${listValues(names, String)}.`
}

/** Values as they are read aloud; in quotes where one could be taken for several or for none. */
function chooseOne(shape: JsonSchema): string | undefined {
  const allowed = allowedValues(shape)?.filter((value) => value !== null)
  if (!allowed || allowed.length === 0) return undefined
  const isClear = allowed.every(
    (value) => typeof value !== 'string' || /^[^\s,"][^,"]*[^\s,".!?]$|^[\p{L}\p{N}]$/u.test(value),
  )
  const show = (value: unknown) => (typeof value === 'string' && isClear ? value : showValue(value))
  if (allowed.length === 1) return `Please use ${show(allowed[0])}.`
  return `Please choose one of: ${listValues(allowed, show)}.`
}
