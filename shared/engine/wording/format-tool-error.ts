import { showValue } from '../../words/list-values.ts'
import { readPath } from '../core/json-path.ts'
import type { JsonSchema } from '../core/json-schema.ts'
import type { Resolver, ToolError } from '../core/tool-error.ts'
import type { Tool, ToolSpecification } from '../core/tool-specification.ts'
import { shownArguments } from './corrected-call.ts'
import { describeAttempt, describeFacts, describeParameters } from './facts-line.ts'
import { TokenBudget } from './token-budget.ts'

/** What a model is told to do about an error that another call does not resolve. */
const advice: Record<Resolver, string> = {
  model: 'Decide again.',
  time: 'It may work later. Do not call it again now; tell the user.',
  user: 'Only the user can resolve this. Do not call it again; tell the user.',
  nobody: 'Do not call it again; tell the user.',
}
/** For a failure about which only the tool's own sentence is known. */
const onceMore = 'If this says what to change, you may change the call once; otherwise tell the user.'

export interface FeedbackOptions {
  /** Which attempt of the intent failed, from 1. */
  attempt: number
  maxAttempts: number
  /** The tool; its name if there is none. */
  tool: ToolSpecification | Tool | string
  /** The errors of the attempts before this one, oldest first. */
  history?: readonly ToolError[]
  /** How detailed the text is; the attempt number by default, 3 immediately if the same arguments failed again. */
  level?: number
  /** Open intents of this tool: `"<as sent>"` may stand for a long text only if there is exactly one (the default). */
  openIntents?: number
}

/**
 * Tokens besides the corrected call, slightly fewer than the promised 90, 180 and 280, because they are counted without
 * any model's tokenizer. What matters most comes first; what does not fit is left out.
 */
const budgets = [86, 168, 262] as const

/**
 * The text a model sees after a failed call. Level 1: the question, one line of facts, the corrected call;
 * level 2 adds part of the schema and an example; level 3 the path and fault of each earlier attempt,
 * never its arguments, because models repeat what they read.
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
  const { hint = '' } = error.details
  if (error.resolver !== 'model' || error.errorType === 'cancelled') {
    const said = [error.error, hint].filter(Boolean).join(' ')
    const isFirst = !history.some(({ details }) => details.said === 'failure')
    const next = error.details.said === 'failure' && isFirst ? onceMore : advice[error.resolver]
    return `${said}\n${shownName(name)}: ${error.errorType}. ${next}`
  }
  const level = Math.min(3, options.level ?? attempt)
  const { correction } = error.details
  const isUnknown = error.errorType === 'tool_not_found'
  // Small models copy a wrong name that they read twice: the question has it.
  const head = `${isUnknown ? 'Attempt' : `${shownName(name)}, attempt`} ${attempt} of ${maxAttempts}: `
  const call = correction ? callPhrase(error, name) : ''
  const isOpen = correction ? correction.open.length > 0 : error.details.said === 'question'
  const last = isOpen ? neverInvent : ''
  const [firstFact = [error.errorType], ...otherFacts] = describeFacts(error)

  const budget = new TokenBudget(budgets[level - 1] ?? budgets[0])
  budget.take(`${head}${call}${last}.`)
  const shortest = budget.take(firstFact.at(-1) ?? error.errorType)
  const fewest = budget.take(otherFacts.length > 0 ? andMore(otherFacts.length) : '')
  // If no call is proposed, the model needs the list of tools.
  const isList = isUnknown && !correction
  const [asked = '', second = '', ...more] = isList ? [error.error] : splitSentences(error.error)
  const question = [
    isList ? asked : budget.takeClipped(asked) || budget.take(`${asked.slice(0, leastAsked)}…`),
    budget.takeClipped(second),
  ]
  const fact = budget.exchange(shortest, firstFact)
  question.push(budget.takeClipped(hint), budget.takeClipped(more.join(' ')))
  const others = budget.exchange(fewest, listings(otherFacts.map(([wording]) => wording)))

  const lines = [question.filter(Boolean).join(' '), `${head}${fact}${others}.`]
  const add = (title: string, parts: readonly string[]) => {
    const [first, ...rest] = parts
    const list = budget.takeList([`${title}: ${first}`, ...rest], '; ', () => '; …')
    if (first !== undefined && list !== '') lines.push(`${list}.`)
  }
  if (level >= 3) add('Earlier attempts', history.map(describeAttempt))
  if (level >= 2 && parameters) add('Parameters', describeParameters(parameters, error))
  const example = level >= 2 ? showExample(error) : ''
  if (example !== '' && budget.fits(example)) lines.push(budget.take(example))
  const unnamed = leftOut(error).filter((left) => !lines.some((line) => line.includes(showValue(left))))
  if (unnamed.length > 0) lines.push(`Left out: ${unnamed.map((left) => showValue(left)).join(', ')}.`)
  if (correction) lines.push(call + JSON.stringify(shownArguments(correction, parameters, openIntents === 1)))
  if (last) lines.push(last)
  return lines.join('\n')
}

const neverInvent = 'If the conversation does not say it, ask the user; never invent it.'
const andMore = (count: number) => `; and ${count} more`

const listedFacts = 12
/** Characters of a question if there is no room left. */
const leastAsked = 60

/** Further facts: first all of them, then fewer and fewer. */
function listings(facts: readonly string[]): string[] {
  const most = Math.min(facts.length, listedFacts)
  return Array.from({ length: most }, (_, index) => {
    const listed = facts.slice(0, most - index)
    const rest = facts.length - listed.length
    return listed.map((fact) => `; ${fact}`).join('') + (rest > 0 ? andMore(rest) : '')
  })
}

function readTool(tool: FeedbackOptions['tool']): { name: string; parameters?: JsonSchema } {
  if (typeof tool === 'string') return { name: tool }
  return 'specification' in tool ? tool.specification : tool
}

/** A name that the model made up may be anything. */
function shownName(name: string): string {
  return name.replace(/\s+/g, ' ').slice(0, 64)
}

function callPhrase({ details }: ToolError, name: string): string {
  const { correction } = details
  const what = !correction || correction.name === name ? 'Call it again' : `Call ${correction.name}`
  return `${what} like this${correction?.open.length ? ', filled in from the conversation' : ''}: `
}

/** The paths that the corrected call does not have: nothing disappears from a call without being named. */
function leftOut({ details: { correction, problems = [] } }: ToolError): string[] {
  if (!correction || correction.open.length > 0) return []
  const paths = problems.flatMap(({ errorType, parameter, suggestion }) =>
    errorType === 'unknown_parameter' && parameter !== undefined && suggestion === undefined
      ? [parameter]
      : [],
  )
  const kept = JSON.stringify(correction.arguments)
  return paths.filter((path) => !kept.includes(`${JSON.stringify(String(readPath(path).at(-1)))}:`))
}

function splitSentences(text: string): string[] {
  return text.split(/(?<=[.?!]) (?=[\p{Lu}\p{Lo}])|(?<=[。！？])(?=\S)/u)
}

function showExample({ details }: ToolError): string {
  return details.example === undefined ? '' : `Valid, as an example only: ${JSON.stringify(details.example)}`
}
