import { canonicalJson } from '../core/canonical-json.ts'
import type { Call, DecisionEntry, QuestionEntry } from './entry.ts'

/** A decision, the question it answers, and the resulting call. */
export interface Decided {
  decision: DecisionEntry
  question: QuestionEntry
  call?: Call
}

/** The values that a person typed into a form, edited or approved; undefined if there are none. */
function valuesSaid(decided: Decided): Record<string, unknown> | undefined {
  const { decision, question } = decided
  if (decision.decision === 'answer') return decision.values
  if (decision.decision !== 'approve') return undefined
  const said = { ...valuesApproved(question), ...valuesEdited(decided) }
  return Object.keys(said).length > 0 ? said : undefined
}

/** The values that the decision about a question covers. */
export function valuesApproved({ approves = [] }: QuestionEntry): Record<string, unknown> {
  return Object.fromEntries(approves.map(({ path, value }) => [path, value]))
}

/** What a person changed in a call before approving it. */
export function valuesEdited({ question, call }: Decided): Record<string, unknown> {
  const input = typeof call?.input === 'object' ? call.input : {}
  return Object.fromEntries(
    Object.entries(input).filter(
      ([name, value]) => canonicalJson(value) !== canonicalJson(question.arguments[name]),
    ),
  )
}

/** The words of a decision for the model, in the user's name. */
export function decisionWords(decided: Decided): string {
  const { decision, question } = decided
  const tool = question.toolName
  const because = decision.reason ? ` The reason: ${decision.reason}` : ''
  switch (decision.decision) {
    case 'answer':
      if (question.server) return `I have answered ${question.server.host} there: that is between us.`
      return `Here is what you asked for: ${JSON.stringify(decision.values ?? {})}`
    case 'approve': {
      const said = valuesSaid(decided)
      return `Yes, call ${tool}${said ? ` with ${JSON.stringify(said)}` : ''}.`
    }
    case 'deny':
      return `No, do not call ${tool}${question.outcomeUnknown ? ' again' : ''}.${because}`
    case 'draft':
      return `Do not call ${tool}; save it as a draft.`
    case 'skip':
      if (question.server) return `I have told ${question.server.host} that I do not answer that.`
      return `Go on without this: do not call ${tool} for it. Do what you can, and say what was left out.`
    case 'connect':
      return 'The connection is ready. Go on.'
    case 'time':
      return 'Go on.'
  }
}
