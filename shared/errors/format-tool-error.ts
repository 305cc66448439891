import type { JsonSchema } from '../schema/json-schema.ts'
import type { Tool, ToolSpecification } from '../tools/tool-specification.ts'
import { shownArguments } from './corrected-call.ts'
import { describeParameters } from './describe-parameters.ts'
import type { Problem, Resolver, ToolError } from './tool-error.ts'

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
 * The text a model sees after a failed call. Level 1: the question, one line of facts, the corrected call;
 * level 2 adds an excerpt of the schema and an example; level 3 the path and fault of each earlier attempt,
 * never its arguments, because what is echoed is repeated.
 *
 * @example
 * formatToolError(error, { attempt: 1, maxAttempts: 3, tool: 'gmail_send_email' })
 * // Question: Who should I send this email to? Please provide the recipient email address.
 * // gmail_send_email, attempt 1 of 3: missing_parameter "to" (string, email).
 * // Call it again like this, filled in from the conversation: {"to":"<recipient email address>","subject":"Meeting"}
 * // If the conversation does not say it, ask the user; never invent it.
 */
export function formatToolError(error: ToolError, options: FeedbackOptions): string {
  const { attempt, maxAttempts } = options
  const { name, parameters } = readTool(options.tool)
  if (error.resolver !== 'model' || error.errorType === 'cancelled') return formatSentence(error, name)
  const level = options.level ?? attempt
  const lines = [error.error, `${name}, attempt ${attempt} of ${maxAttempts}: ${factsOf(error)}.`]
  if (level >= 3) lines.push(...historyLines(options.history ?? []))
  if (level >= 2) lines.push(...schemaLines(error, parameters))
  lines.push(...correctionLines(error, options))
  return lines.join('\n')
}

function readTool(tool: FeedbackOptions['tool']): { name: string; parameters?: JsonSchema } {
  if (typeof tool === 'string') return { name: tool }
  return 'specification' in tool ? tool.specification : tool
}

/** What the model cannot resolve: the sentence, and that calling again does not help. */
function formatSentence(error: ToolError, toolName: string): string {
  return `${error.error}\n${toolName}: ${error.errorType}. ${advice[error.resolver]}`
}

const advice: Record<Resolver, string> = {
  model: 'Decide again.',
  time: 'It may work later. Do not call it again now; tell the user.',
  user: 'Only the user can resolve this. Do not call it again; tell the user.',
  nobody: 'Calling it again does not help; tell the user.',
}

const maxProblems = 5

function factsOf(error: ToolError): string {
  const { details } = error
  const problems: Problem[] = details.problems?.length
    ? details.problems
    : [{ errorType: error.errorType, ...details }]
  const facts = problems.slice(0, maxProblems).map((problem) => {
    const constraint = problem.parameter === details.parameter ? details.constraint : undefined
    return factOf(problem, constraint)
  })
  const rest = problems.length - facts.length
  return `${facts.join('; ')}${rest > 0 ? `; and ${rest} more` : ''}`
}

function factOf(problem: Problem, constraint: string | undefined): string {
  const where = problem.parameter ? ` "${problem.parameter}"` : ''
  const { expected, actual } = problem
  if (problem.errorType === 'missing_parameter')
    return `missing_parameter${where}${expected ? ` (${expected})` : ''}`
  const rule = constraint ?? (expected && `must be ${expected}${actual ? `, got ${actual}` : ''}`)
  const wording =
    problem.errorType === 'invalid_type' && expected && actual
      ? ` (Parameter${where}: expected ${expected}, received ${actual})`
      : ''
  const meant = problem.suggestion && problem.parameter ? ` (did you mean "${problem.suggestion}"?)` : ''
  return `${problem.errorType}${where}${rule ? `: ${rule}` : ''}${wording}${meant}`
}

function historyLines(history: readonly ToolError[]): string[] {
  if (history.length === 0) return []
  const faults = history.map((error, index) => {
    const problems = error.details.problems ?? [{ errorType: error.errorType, ...error.details }]
    const paths = problems
      .slice(0, maxProblems)
      .map((p) => `${p.errorType}${p.parameter ? ` "${p.parameter}"` : ''}`)
    return `${index + 1}. ${paths.join(', ')}`
  })
  return [`Earlier attempts: ${faults.join('; ')}.`]
}

function schemaLines(error: ToolError, parameters: JsonSchema | undefined): string[] {
  const lines: string[] = []
  if (parameters) {
    const text = describeParameters(parameters, error)
    if (text) lines.push(`Parameters: ${text}.`)
  }
  if (error.details.example !== undefined)
    lines.push(`Valid, as an example only: ${JSON.stringify(error.details.example)}`)
  return lines
}

function correctionLines(error: ToolError, { tool, openIntents = 1 }: FeedbackOptions): string[] {
  const correction = error.details.correction
  if (!correction) return []
  const { name, parameters } = readTool(tool)
  const args = shownArguments(correction, parameters, openIntents === 1)
  const what = correction.name === name ? 'Call it again' : `Call ${correction.name}`
  const filled = correction.open.length > 0 ? ', filled in from the conversation' : ''
  const lines = [`${what} like this${filled}: ${JSON.stringify(args)}`]
  if (filled) lines.push('If the conversation does not say it, ask the user; never invent it.')
  return lines
}
