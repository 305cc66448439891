import { findFormat } from '../../words/formats.ts'
import { listValues, showValue } from '../../words/list-values.ts'
import { type AskedPlace, askMissing, askUnfit } from '../../words/sentences/questions.ts'
import { clipText } from '../core/clip-text.ts'
import { formatPath } from '../core/json-path.ts'
import type { JsonSchema } from '../core/json-schema.ts'
import { withoutNothing } from '../core/without-nothing.ts'
import { describeInWords } from '../schema/describe-schema.ts'
import type { Fault } from '../schema/find-faults.ts'
import { jsonTypeOf, listChoices, listTypes, pickShape } from '../schema/resolve-schema.ts'
import { sentValue, showSent } from '../schema/show-value.ts'
import { firstSentence } from './first-sentence.ts'
import { labelParameter, withoutWrapper } from './parameter-label.ts'

/**
 * The question that a fault asks a model: a missing value is asked for, a wrong one is said to have an issue. `question` and
 * `hint` of the schema come first, then its title, description, type and format.
 *
 * @example
 * const schema = { type: 'string', question: 'Who should I send this email to?', hint: 'Please provide the recipient email address.' }
 * questionFor({ path: ['to'], kind: 'missing', keyword: 'required', schema, value: undefined }, schema)
 * // => 'Question: Who should I send this email to? Please provide the recipient email address.'
 */
export function questionFor(fault: Fault, root: JsonSchema): string {
  if (fault.kind === 'undeclared') return `Question: ${askUndeclared(fault, pickShape(root, fault.schema))}`
  const place = askedPlace(fault, root)
  const { asked, hint } = isMissing(fault)
    ? askMissing(place, { exact: true })
    : askUnfit(place, { sent: showSent(root, fault), path: formatPath(fault.path), value: fault.value })
  return `Question: ${hint === '' ? asked : `${asked} ${hint}`}`
}

/** What the question about a fault is made of: the values of its sentence. What its author's words make needless is left out. */
export function askedPlace(fault: Fault, root: JsonSchema): AskedPlace {
  const shape = withHintSentence(pickShape(root, fault.schema))
  const { question, hint, unfit } = shape
  const isMissed = isMissing(fault) || fault.kind === 'undeclared'
  const isAsked = isMissed && question !== undefined
  const isExplained = hint !== undefined && (isMissed || (hint !== '' && fault.keyword !== 'digits'))
  return withoutNothing({
    question,
    hint,
    label: isAsked ? undefined : labelParameter(withoutWrapper(root, fault.path), shape),
    ...(isAsked && isExplained
      ? {}
      : {
          isFlag: (listTypes(shape).includes('boolean') && !shape.enum) || undefined,
          choices: listChoices(root, fault.schema),
        }),
    ...(isExplained
      ? {}
      : {
          description: firstSentence(shape) || undefined,
          expected: describeInWords(root, fault.schema) || undefined,
        }),
    ...(isMissed ? {} : { unfit, ...whatWasSent(root, shape, fault) }),
  })
}

/** Characters of a value that is told. */
const shownCharacters = 200

/** What was sent, without secrets and shortened, and what is wrong with it. */
function whatWasSent(root: JsonSchema, shape: JsonSchema, fault: Fault): Partial<AskedPlace> {
  const { kind, keyword, value } = fault
  const format = keyword === 'format' ? findFormat(shape) : undefined
  const limit = shape[keyword as keyof JsonSchema]
  return {
    fault: kind === 'type' && keyword !== 'digits' && !format ? 'type' : keyword,
    limit: typeof limit === 'number' ? limit : undefined,
    value: value === undefined ? undefined : sentValue(root, fault, shownCharacters),
    type: typeof value === 'object' ? jsonTypeOf(value) : undefined,
    ...(format ? { format: shape.format ?? shape.statedFormat, example: format.example } : {}),
  }
}

/** Whether there is no value to say anything about. */
export function isMissing({ kind, value }: Pick<Fault, 'kind' | 'value'>): boolean {
  return kind === 'missing' || value === null || (typeof value === 'string' && value.trim() === '')
}

/** Hints of other people's tools may be of any length. */
const hintCharacters = 300

/** A hint may only name what belongs there: `the recipient email address`. */
function withHintSentence(shape: JsonSchema): JsonSchema {
  const hint = shape.hint && clipText(shape.hint.trim(), hintCharacters)
  if (!hint || /[.!?…]$|^please\b/i.test(hint)) return { ...shape, hint }
  return { ...shape, hint: `Please provide ${hint}.` }
}

function askUndeclared(fault: Fault, shape: JsonSchema): string {
  const name = String(fault.path.at(-1))
  const names = Object.keys(shape.properties ?? {})
  const around = fault.path.length > 1 ? ` in "${formatPath(fault.path.slice(0, -1))}"` : ''
  const unknown = `There is no parameter ${showValue(name)}${around}.`
  if (names.length === 0) return `${unknown} Please leave it out.`
  return `${unknown} Please use one of these or leave it out: ${listValues(names, String)}.`
}
