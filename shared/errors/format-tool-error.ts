import type { JsonSchema } from '../schema/json-schema.ts'
import type { Tool, ToolSpecification } from '../tools/tool-specification.ts'
import { shownArguments } from './corrected-call.ts'
import { describeParameters } from './describe-parameters.ts'
import { advice } from './feedback-text.ts'
import type { Problem, ToolError } from './tool-error.ts'

export interface FeedbackOptions {
  /** Which attempt of the intent failed, from 1. */
  attempt: number
  maxAttempts: number
  /** The tool; its name where there is none. */
  tool: ToolSpecification | Tool | string
  /** The errors of the attempts before this one, oldest first. */
  history?: readonly ToolError[]
  /** How full the text is; the attempt number by default, 3 at once when the same arguments failed again. */
  level?: number
  /** Open intents of this tool: only with exactly one (the default) may `"<as sent>"` stand for a long text. */
  openIntents?: number
}

/**
 * Characters beside the corrected call: a bit less than 90, 180 and 280 tokens at four characters each. Questions
 * and facts come first; what does not fit is left out.
 */
const budgets = [330, 660, 1030] as const

/**
 * The text a model sees after a failed call. Level 1: the question, one line of facts, the corrected call;
 * level 2 adds an excerpt of the schema and an example; level 3 the path and fault of each earlier attempt,
 * never its arguments, because what is echoed is repeated.
 *
 * @example
 * const error = toolError('missing_parameter', 'Question: Who should I send this email to?', {
 *   details: { parameter: 'to', expected: 'string, email', correction: { name: 'send_email', arguments: { to: '<recipient>', subject: 'Hi' }, open: ['to'] } },
 * })
 * const [question, facts, call] = formatToolError(error, { attempt: 1, maxAttempts: 3, tool: 'send_email' }).split('\n')
 * facts // => 'send_email, attempt 1 of 3: missing_parameter "to" (string, email).'
 * call // => 'Call it again like this, filled in from the conversation: {"to":"<recipient>","subject":"Hi"}'
 */
export function formatToolError(error: ToolError, options: FeedbackOptions): string {
  const { attempt, maxAttempts, history = [], openIntents = 1 } = options
  const { name: given, parameters } = readTool(options.tool)
  const name = given.trim() || 'call without a name'
  if (error.resolver !== 'model' || error.errorType === 'cancelled') {
    return `${error.error}\n${name}: ${error.errorType}. ${advice[error.resolver]}`
  }
  const level = Math.min(3, options.level ?? attempt)
  const { correction } = error.details
  const head = `${name}, attempt ${attempt} of ${maxAttempts}: `
  const call = correction ? callPhrase(error, name) : ''
  const last = correction && correction.open.length > 0 ? neverInvent : ''

  const budget = budgets[level - 1] ?? budgets[0]
  let left = budget - error.error.length - head.length - call.length - last.length
  const lines = [error.error, `${head}${takeFitting(factsOf(error), left, '; ')}.`]
  const add = (line: string | undefined) => {
    left = budget - lines.join('\n').length - call.length - last.length
    if (line !== undefined && line.length <= left) lines.push(line)
  }
  if (level >= 3 && history.length > 0) add(`Earlier attempts: ${history.map(faultsOf).join('; ')}.`)
  if (level >= 2 && parameters) add(describeParameters(parameters, error))
  if (level >= 2) add(exampleOf(error))
  if (correction) lines.push(call + JSON.stringify(shownArguments(correction, parameters, openIntents === 1)))
  if (last) lines.push(last)
  return lines.join('\n')
}

const neverInvent = 'If the conversation does not say it, ask the user; never invent it.'

function readTool(tool: FeedbackOptions['tool']): { name: string; parameters?: JsonSchema } {
  if (typeof tool === 'string') return { name: tool }
  return 'specification' in tool ? tool.specification : tool
}

function callPhrase({ details }: ToolError, name: string): string {
  const { correction } = details
  const what = !correction || correction.name === name ? 'Call it again' : `Call ${correction.name}`
  return `${what} like this${correction?.open.length ? ', filled in from the conversation' : ''}: `
}

function problemsOf({ errorType, details }: ToolError): Problem[] {
  return details.problems?.length ? details.problems : [{ errorType, ...details }]
}

/** One phrase per fault, the first with everything that is known of it. */
function factsOf(error: ToolError): string[] {
  return problemsOf(error).map((problem, index) => {
    const { errorType, parameter, expected, suggestion } = problem
    const where = parameter ? ` "${parameter}"` : ''
    const meant = suggestion && parameter ? ` (did you mean "${suggestion}"?)` : ''
    if (errorType === 'missing_parameter') return `${errorType}${where}${expected ? ` (${expected})` : ''}`
    // What the question already says is not said twice.
    const actual = problem.actual && !error.error.includes(problem.actual) ? problem.actual : undefined
    const constraint =
      index === 0 || parameter === error.details.parameter ? error.details.constraint : undefined
    const rule = constraint ?? (expected && `must be ${expected}${actual ? `, got ${actual}` : ''}`)
    const wording =
      index === 0 && errorType === 'invalid_type' && expected && problem.actual
        ? ` (Parameter${where}: expected ${expected}, received ${problem.actual})`
        : ''
    return `${errorType}${where}${rule ? `: ${rule}` : ''}${wording}${meant}`
  })
}

/** The first phrase whatever its length, then as many as fit, and how many did not. */
function takeFitting(phrases: readonly string[], budget: number, separator: string): string {
  let text = phrases[0] ?? ''
  for (const [index, phrase] of phrases.entries()) {
    if (index === 0) continue
    if (text.length + separator.length + phrase.length > budget) {
      return `${text}${separator}and ${phrases.length - index} more`
    }
    text += separator + phrase
  }
  return text
}

const faultsPerAttempt = 3

function faultsOf(error: ToolError, index: number): string {
  const faults = problemsOf(error).map(({ errorType, parameter }) =>
    parameter ? `${errorType} "${parameter}"` : errorType,
  )
  const rest = faults.length > faultsPerAttempt ? ', …' : ''
  return `${index + 1}. ${faults.slice(0, faultsPerAttempt).join(', ')}${rest}`
}

function exampleOf({ details }: ToolError): string | undefined {
  return details.example === undefined
    ? undefined
    : `Valid, as an example only: ${JSON.stringify(details.example)}`
}
