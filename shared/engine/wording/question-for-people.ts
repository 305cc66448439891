import { sayInEnglish } from '../../words/languages/in-english.ts'
import { type Asked, askedInEnglish, type Said, sentenceOf } from '../core/asked.ts'
import { isMarked, withoutMark } from '../core/question-mark.ts'
import type { ToolError, ToolErrorType } from '../core/tool-error.ts'

/** URLs, also without a scheme, and the target of a Markdown link. */
const links = /\]\([^)]*\)|\b[a-z][a-z0-9+.-]*:\/\/\S+|\bwww\.\S+/gi

/** What the model has to know exactly and people not at all: its tools, its JSON. */
const forModelsAlone: readonly ToolErrorType[] = ['tool_not_found', 'malformed_arguments']

/**
 * What a person is asked or told because of an error. A tool's own words are attributed to the tool, and their links are
 * removed.
 */
export function saidOf({ error, errorType, details }: ToolError): Said {
  const { asked, asker } = details
  const words = withoutMark(error)
  // What only the error itself says stays as it is, in any language.
  const own = forModelsAlone.includes(errorType)
    ? { code: errorType }
    : { code: errorType, values: { words } }
  if (asker === undefined) {
    if (!asked) return own
    const { code, values } = asked
    if (sayInEnglish({ code, values }) !== undefined) return { code, values }
    // A release that this one does not know has said it.
    return { code: errorType, values: { words: sentenceOf(askedInEnglish(asked)) } }
  }
  const said = asked && askedInEnglish(asked)
  // A hint of the tool's own is said in every language, ours in English alone.
  const hint = asked?.values?.hint === undefined ? 'help' : 'hint'
  return {
    code: isMarked(error) ? 'tool_asks' : 'tool_says',
    values: {
      ...asked?.values,
      tool: asker,
      words: withoutLinks(said?.asked ?? words),
      ...(said?.hint ? { [hint]: withoutLinks(said.hint) } : {}),
    },
  }
}

/**
 * The same in English, in parts.
 *
 * @example
 * const error = toolError('missing_parameter', 'Question: Which list? See https://example.com/x', { details: { asker: 'Add task' } })
 * askedOf(error).asked // => 'Add task asks: Which list? See (link left out)'
 */
export function askedOf(error: ToolError): Asked {
  return askedInEnglish(saidOf(error))
}

/** A tool error with the English words of what people are asked, for whoever reads it outside. */
export type WordedError = Omit<ToolError, 'details'> & {
  details: Omit<ToolError['details'], 'asked'> & { asked?: Asked }
}

export function withWords(error: ToolError): WordedError {
  const { asked, ...details } = error.details
  return { ...error, details: { ...details, asked: asked && askedInEnglish(asked) } }
}

/** A text of a tool's own without its links. */
export function withoutLinks(text: string): string {
  return text.replace(links, (link) => (link.startsWith(']') ? ']' : '(link left out)'))
}

/** The same as one sentence, marked as a question. */
export function questionForPeople(error: ToolError): string {
  const sentence = sentenceOf(askedOf(error))
  return isMarked(error.error) && error.details.asker === undefined ? `Question: ${sentence}` : sentence
}
