import { clipText } from '../core/clip-text.ts'
import { maskSecrets } from '../core/mask-secrets.ts'
import { withoutMark } from '../core/question-mark.ts'
import { defaultResolver, type Problem, type ToolError, toolError } from '../core/tool-error.ts'
import { questionIn, sentenceIn } from './tool-question.ts'

const longestValue = 200

/**
 * The trusted part of a tool error that a tool returned instead of throwing it (an MCP server, somebody else's function):
 * its sentence, type and hint, and the parameters that `isPlace` accepts. Never a correction, an example, a
 * link, or who resolves it: a tool does not decide about other calls.
 */
export function restrictReturnedError(said: ToolError, isPlace: (parameter: string) => boolean): ToolError {
  const { details } = said
  const question = questionIn(said.error)
  // A question is for somebody, whatever type it has.
  const isOfNobody = question !== undefined && defaultResolver[said.errorType] === 'nobody'
  const errorType = isOfNobody ? 'missing_parameter' : said.errorType
  const resolver = said.resolver === 'user' ? 'user' : defaultResolver[errorType]
  const asks = resolver === 'model' || resolver === 'user'
  const sentence = question ?? (sentenceIn(said.error) || 'No reason was given.')
  const bare = withoutMark(sentence)
  const { parameter, hint, suggestion, problems } = details
  const own = Array.isArray(problems) ? problems.filter(isProblem).filter((one) => isOwn(one.parameter)) : []
  function isOwn(name: unknown): name is string {
    return typeof name === 'string' && isPlace(name)
  }
  return toolError(errorType, asks ? `Question: ${bare}` : bare, {
    resolver,
    retryAfterMs: resolver === 'time' && isWait(said.retryAfterMs) ? said.retryAfterMs : undefined,
    details: {
      ...(isOwn(parameter) ? { parameter } : {}),
      ...texts({ hint, suggestion, expected: details.expected, actual: details.actual }),
      problems: own.length > 0 ? own : undefined,
    },
  })
}

function isWait(milliseconds: unknown): milliseconds is number {
  return typeof milliseconds === 'number' && milliseconds >= 0
}

function isProblem(value: unknown): value is Problem {
  if (typeof value !== 'object' || value === null) return false
  return Object.values(value).every((member) => typeof member === 'string' && member.length <= longestValue)
}

/** The text members, masked and shortened. */
function texts<Name extends string>(members: Record<Name, unknown>): Partial<Record<Name, string>> {
  const kept: Partial<Record<Name, string>> = {}
  for (const [name, value] of Object.entries(members) as [Name, unknown][]) {
    if (typeof value === 'string' && value.trim() !== '')
      kept[name] = clipText(maskSecrets(value), longestValue)
  }
  return kept
}
