import type { Language } from '../../words/language.ts'
import { isEnglish, sayTo } from '../../words/languages/in-english.ts'
import { joinParts, sayOwn } from '../../words/say.ts'
import { isObject } from '../core/json-value.ts'
import type { ToolError } from '../core/tool-error.ts'
import type { ToolSpecification } from '../core/tool-specification.ts'
import { questionForPeople, saidOf } from '../wording/question-for-people.ts'
import type { Entry, OwnText } from './entry.ts'

/** The arguments of a call, if they are known. */
export type InputOf = (toolCallId: string) => Record<string, unknown> | undefined

/**
 * Our own sentences in a language. A sentence that asks about a call is said with its values; one about a tool that is
 * not among `tools` stays as it was worded, unless the language has words for it.
 */
export function sayTexts(
  language: Language,
  texts: readonly OwnText[],
  inputOf: InputOf,
  tools: ReadonlyMap<string, ToolSpecification> = new Map(),
): OwnText[] {
  return texts.map((one) => {
    const { toolCallId, values, text } = one
    const input = toolCallId === undefined ? undefined : inputOf(toolCallId)
    const said = sayTo(language, one, { tool: tools.get(String(values?.toolName)), input })
    return { ...one, text: joinParts(said) ?? text }
  })
}

/** The arguments of the calls in a transcript, as they were asked about or called last. */
export function inputsIn(entries: readonly Entry[]): InputOf {
  return (toolCallId) => {
    const last = entries.findLast(
      (entry) => (entry.type === 'call' || entry.type === 'question') && entry.toolCallId === toolCallId,
    )
    if (last?.type === 'question') return last.arguments
    return last?.type === 'call' && isObject(last.input) ? last.input : undefined
  }
}

/** What people are asked or told because of an error, in a language. */
export function sayError(language: Language, error: ToolError): string {
  // In English it keeps the mark of the protocol.
  if (isEnglish(language)) return questionForPeople(error)
  return sayOwn(language, { ...saidOf(error), text: questionForPeople(error) })
}
