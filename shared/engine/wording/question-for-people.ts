import { type Asked, type Said, sentenceOf } from '../core/asked.ts'
import { isMarked, withoutMark } from '../core/question-mark.ts'
import type { ToolError, ToolErrorType } from '../core/tool-error.ts'

/** URLs, also without a scheme, and the target of a Markdown link. */
const links = /\]\([^)]*\)|\b[a-z][a-z0-9+.-]*:\/\/\S+|\bwww\.\S+/gi

/** What the model has to know exactly and people not at all: its tools, its JSON. */
const toldOtherwise: Partial<Record<ToolErrorType, string>> = {
  tool_not_found: 'No tool here can do this.',
  malformed_arguments: 'The details of this step could not be read.',
}

/**
 * What a person is asked or told because of an error, in parts. A tool's own words are attributed to the tool, and
 * their links are removed.
 *
 * @example
 * const error = toolError('missing_parameter', 'Question: Which list? See https://example.com/x', { details: { asker: 'Add task' } })
 * askedOf(error).asked // => 'Add task asks: Which list? See (link left out)'
 */
export function askedOf({ error, errorType, details }: ToolError): Asked {
  const { asked, asker } = details
  const words = withoutMark(error)
  if (asker === undefined) return asked ?? { code: errorType, asked: toldOtherwise[errorType] ?? words }
  const question = withoutLinks(asked?.asked ?? words)
  const asks = isMarked(error)
  return {
    code: asks ? 'tool_asks' : 'tool_says',
    values: { ...asked?.values, tool: asker, words: question },
    asked: `${asker} ${asks ? 'asks' : 'says'}: ${question}`,
    ...(asked?.hint ? { hint: withoutLinks(asked.hint) } : {}),
  }
}

/** The code and the values of what people are told because of an error, to be stored beside the sentence. */
export function saidOf(error: ToolError): Said {
  const { code, values } = askedOf(error)
  return { code, ...(values ? { values } : {}) }
}

function withoutLinks(text: string): string {
  return text.replace(links, (link) => (link.startsWith(']') ? ']' : '(link left out)'))
}

/** The same as one sentence, marked as a question. */
export function questionForPeople(error: ToolError): string {
  const sentence = sentenceOf(askedOf(error))
  return isMarked(error.error) && error.details.asker === undefined ? `Question: ${sentence}` : sentence
}

/** Why something was not done, as a sentence of its own. */
export function whyValues(asked: Asked | undefined): Record<string, unknown> {
  if (asked === undefined) return {}
  const { code, values } = asked
  return { why: code, ...(values ? { whyValues: values } : {}), whyText: sentenceOf(asked) }
}
