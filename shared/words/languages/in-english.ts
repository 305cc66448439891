import type { Done } from '../fill-template.ts'
import type { Language } from '../language.ts'
import { overlay } from '../overlay.ts'
import type { SaidParts } from '../said.ts'
import {
  joinParts,
  type OwnSentence,
  saidParts,
  sayButton,
  sayDone,
  sayPast,
  sayPlainly,
  stateCall,
  toolOf,
} from '../say.ts'
import { type SpecifiedTool, toolInEnglish } from '../tool-in-english.ts'
import type { Values } from '../tool-words.ts'
import { english } from './english.ts'

/** What a sentence is about, besides its values. */
export interface About {
  tool?: SpecifiedTool | undefined
  /** The call that is asked about, with three dots for each value that is still to be filled in. */
  input?: Values | undefined
}

/** Whether a language is that of the authors of tools. */
export function isEnglish({ locale }: Language): boolean {
  return locale.startsWith('en')
}

/**
 * A sentence of ours in its parts: in the language, if it has words for the tool, else in English as the tool's author has
 * them. Undefined if neither has words for the code, or its values do not suffice.
 */
export function sayTo(
  language: Language,
  { code, values = {} }: { code: string; values?: Values | undefined },
  { tool, input }: About = {},
): SaidParts | undefined {
  const own = isEnglish(language) ? undefined : saidParts(language, code, values, input)
  return own ?? saidParts(asAuthorsSay(language, values, tool), code, values, input)
}

/** The same in English: times are UTC, unless the values say whose zone they are in. */
export function sayInEnglish(
  said: { code: string; values?: Values | undefined },
  about?: About,
): SaidParts | undefined {
  return sayTo(english, said, about)
}

/** The whole sentence in English; without words for it, what it is about. */
export function inEnglish({ code = '', values, text }: OwnSentence, about?: About): string {
  return joinParts(sayInEnglish({ code, values }, about)) ?? text ?? sayPlainly(english, values, about?.input)
}

/** What a call does, as a statement: `Send "Hi" to "ada@example.com"`. `values`: those of its question. */
export function stateFor(language: Language, values: Values, { tool, input = {} }: About): string {
  const own = isEnglish(language) ? undefined : stateCall(language, values, input)
  return own ?? stateCall(asAuthorsSay(language, values, tool), values, input) ?? String(values.tool ?? '')
}

/** The verb on the approval button of a call, which may have been made before; undefined if its tool has none. */
export function buttonFor(
  language: Language,
  toolName: string,
  { tool, input = {}, isAgain = false }: About & { isAgain?: boolean },
): string | undefined {
  return inOwnWords(language, toolName, tool, (words) => {
    const verb = sayButton(words, toolName, input)
    return verb !== undefined && isAgain ? words.doAgain(verb) : verb
  })
}

/** What a call is once it is made, after "already" or "not"; undefined if its tool has no word for it. */
export function pastFor(
  language: Language,
  toolName: string,
  { tool, input = {} }: About,
): string | undefined {
  return inOwnWords(language, toolName, tool, (words) => sayPast(words, toolName, input))
}

/** What a call did, in one line; undefined if its tool has no words for it. */
export function doneFor(
  language: Language,
  toolName: string,
  { tool, input = {}, done }: About & { done: Done },
): string | undefined {
  return inOwnWords(language, toolName, tool, (words) => sayDone(words, toolName, input, done))
}

/** What the language has of the tool, else its author. */
function inOwnWords(
  language: Language,
  toolName: string,
  tool: SpecifiedTool | undefined,
  say: (words: Language) => string | undefined,
): string | undefined {
  const own = isEnglish(language) ? undefined : say(language)
  return own ?? say(asAuthorsSay(language, { toolName, tool: '' }, tool))
}

/** English with the tool in question, its title as it was when the sentence was made, and what the project says instead. */
function asAuthorsSay(language: Language, values: Values, tool: SpecifiedTool | undefined): Language {
  const { tool: title, toolName, timeZone: asked } = values
  const inEnglish = isEnglish(language) ? language : (language.otherwise ?? english)
  const { tools } = inEnglish
  const own =
    typeof toolName === 'string' && typeof title === 'string'
      ? { [toolName]: overlay(toolInEnglish(title, tool), toolOf(inEnglish, toolName)) }
      : {}
  const timeZone = language.timeZone ?? (typeof asked === 'string' ? asked : undefined)
  return { ...inEnglish, timeZone, tools: { ...tools, ...own } }
}
