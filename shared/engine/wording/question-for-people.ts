import { isMarked, withoutMark } from '../core/question-mark.ts'
import type { ToolError } from '../core/tool-error.ts'

/** Addresses of the web, also without a scheme, and the target of a Markdown link. */
const links = /\]\([^)]*\)|\b[a-z][a-z0-9+.-]*:\/\/\S+|\bwww\.\S+/gi

/**
 * How a person reads the question of an error. What a tool says in its own words is said to be the tool's, and leads
 * nowhere: no link of it is shown.
 *
 * @example
 * const error = toolError('missing_parameter', 'Question: Which list? See https://example.com/x', { details: { asker: 'Add task' } })
 * questionForPeople(error) // => 'Add task asks: Which list? See (link left out)'
 */
export function questionForPeople({ error, details }: ToolError): string {
  if (details.asker === undefined) return error
  const question = withoutMark(error).replace(links, (link) =>
    link.startsWith(']') ? ']' : '(link left out)',
  )
  return `${details.asker} ${isMarked(error) ? 'asks' : 'says'}: ${question}`
}
