import type { Language } from '../../words/language.ts'
import { isEnglish, sayTo } from '../../words/languages/in-english.ts'
import { joinParts, sayOwn, sayPlainly } from '../../words/say.ts'
import type { SpecifiedTool } from '../../words/tool-in-english.ts'
import { isObject } from '../core/json-value.ts'
import type { ToolError } from '../core/tool-error.ts'
import { questionForPeople, saidOf } from '../wording/question-for-people.ts'
import type { Entry, OwnSaid, OwnText } from './entry.ts'

/** The arguments of a call, if they are known. */
export type InputOf = (toolCallId: string) => Record<string, unknown> | undefined

/**
 * Our own sentences in a language. A sentence that asks about a call is said with its values. Without words for it, it is
 * said as an older release has stored it, or else names its tool and the values.
 */
export function sayTexts(
  language: Language,
  said: readonly OwnSaid[] = [],
  inputOf: InputOf = () => undefined,
  tools: ReadonlyMap<string, SpecifiedTool> = new Map(),
): OwnText[] {
  return said.map((one) => sayText(language, one, inputOf, tools))
}

/** One of them. */
export function sayText(
  language: Language,
  said: OwnSaid,
  inputOf: InputOf,
  tools: ReadonlyMap<string, SpecifiedTool>,
): OwnText {
  const { toolCallId, values, text } = said
  const input = toolCallId === undefined ? undefined : inputOf(toolCallId)
  const parts = sayTo(language, said, { tool: tools.get(String(values?.toolName)), input })
  return { ...said, text: joinParts(parts) ?? text ?? sayPlainly(language, values, input) }
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
