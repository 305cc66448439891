import type { Resolver, ToolError, ToolErrorType } from '../core/tool-error.ts'
import type { ToolSpecification } from '../core/tool-specification.ts'

/**
 * What follows from an error.
 * `feedback`: the model corrects its call. `once-more`: it may call once more, or tell the user. `sentence`: it is told
 * once and answers.
 * `input`, `approval`, `connection`: the run waits for the user.
 */
type Consequence = 'feedback' | 'once-more' | 'sentence' | 'input' | 'approval' | 'connection'

interface Row {
  resolver: Resolver
  types?: readonly ToolErrorType[]
  consequence: Consequence
}

/** The first row that fits. Waits for the clock are already over (execute-tool-call.ts). */
const consequences: readonly Row[] = [
  { resolver: 'model', consequence: 'feedback' },
  { resolver: 'time', consequence: 'sentence' },
  { resolver: 'nobody', consequence: 'sentence' },
  { resolver: 'user', types: ['authentication_error', 'not_configured'], consequence: 'connection' },
  { resolver: 'user', types: ['outcome_unknown'], consequence: 'approval' },
  { resolver: 'user', types: ['permission_denied', 'quota_exceeded'], consequence: 'sentence' },
  { resolver: 'user', consequence: 'input' },
]

/** What follows from this error of a tool. Whether the attempts at it are used up is decided by `isSpent` in `limits.ts`. */
export function decideConsequence(error: ToolError, tool: ToolSpecification | undefined): Consequence {
  const row = consequences.find(
    ({ resolver, types }) => resolver === error.resolver && (types?.includes(error.errorType) ?? true),
  )
  if (error.details.said === 'failure') return 'once-more'
  const consequence = row?.consequence ?? 'sentence'
  // Only the tool says so, and it names no provider that could be connected: the model tells the user.
  const isOnlySaid = error.details.asker !== undefined && !tool?.providers?.length
  if (consequence === 'connection' && isOnlySaid) return 'sentence'
  return consequence === 'input' && !canBeAnswered(error) ? 'sentence' : consequence
}

/** Faults of the text itself: a person cannot complete them. */
const unreadable: readonly ToolErrorType[] = ['malformed_arguments', 'tool_not_found']

/** True if the corrected call has slots that a person could fill. */
export function canBeAnswered(error: ToolError): boolean {
  const correction = error.details.correction
  return correction !== undefined && correction.open.length > 0 && !unreadable.includes(error.errorType)
}

/** True if the model's own words are a good end: the tool asked for nothing that fits a form, or only failed. */
export function isForWords({ details }: ToolError): boolean {
  return details.said !== undefined && details.parameter === undefined
}
