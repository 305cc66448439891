import type { Resolver, ToolError, ToolErrorType } from '../core/tool-error.ts'
import type { ToolSpecification } from '../core/tool-specification.ts'

/**
 * What an error means for the run.
 * `feedback`: the model corrects its call. `once-more`: it may call once more, or tell the user. `sentence`: it is told
 * once and answers.
 * `input`, `approval`, `connection`: the run waits for the user.
 */
type Ending = 'feedback' | 'once-more' | 'sentence' | 'input' | 'approval' | 'connection'

interface Row {
  resolver: Resolver
  types?: readonly ToolErrorType[]
  ending: Ending
}

/** The first row that fits. Waits for the clock are already over (execute-tool-call.ts). */
const endings: readonly Row[] = [
  { resolver: 'model', ending: 'feedback' },
  { resolver: 'time', ending: 'sentence' },
  { resolver: 'nobody', ending: 'sentence' },
  { resolver: 'user', types: ['authentication_error', 'not_configured'], ending: 'connection' },
  { resolver: 'user', types: ['outcome_unknown'], ending: 'approval' },
  { resolver: 'user', types: ['permission_denied', 'quota_exceeded'], ending: 'sentence' },
  { resolver: 'user', ending: 'input' },
]

/** How this error of a tool ends the run, if it does. */
export function decideEnding(error: ToolError, tool: ToolSpecification | undefined): Ending {
  const row = endings.find(
    ({ resolver, types }) => resolver === error.resolver && (types?.includes(error.errorType) ?? true),
  )
  if (error.details.said === 'failure') return 'once-more'
  const ending = row?.ending ?? 'sentence'
  // Only the tool says so, and it names no provider that could be connected: the model tells the user.
  const isOnlySaid = error.details.asker !== undefined && !tool?.providers?.length
  if (ending === 'connection' && isOnlySaid) return 'sentence'
  return ending === 'input' && !canBeAnswered(error) ? 'sentence' : ending
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
