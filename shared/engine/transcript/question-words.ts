import { fieldOf, titleAt } from '../../words/form-words.ts'
import type { Language } from '../../words/language.ts'
import { english } from '../../words/languages/english.ts'
import {
  type About,
  buttonFor,
  isEnglish,
  pastFor,
  sayTo,
  stateFor,
} from '../../words/languages/in-english.ts'
import { joinParts, sayPlainly, toolOf } from '../../words/say.ts'
import type { ToolWords } from '../../words/tool-words.ts'
import type { Said } from '../core/asked.ts'
import { isObject } from '../core/json-value.ts'
import { withoutMark } from '../core/question-mark.ts'
import type { ToolSpecification } from '../core/tool-specification.ts'
import { withoutNothing } from '../core/without-nothing.ts'
import { titleOf } from '../wording/tool-title.ts'
import type { QuestionEntry, Shown } from './entry.ts'
import { showOpen } from './open-fields.ts'
import { canBeApproved, keptArguments } from './open-items.ts'

/** A question to people as its entry stores it. */
export function storeQuestion({ code, values }: Said): Pick<QuestionEntry, 'code' | 'codeValues'> {
  return { code, codeValues: values }
}

/** The values of the sentence about what has changed; of a call that failed, with the place that failed. */
export function changedValues({
  changed = [],
  toolName,
}: Pick<QuestionEntry, 'changed' | 'toolName'>): Record<string, unknown> {
  const failed = changed.find(({ what }) => what === 'failed')?.before
  const { parameter, field } = isObject(failed) ? failed : {}
  return { changed, ...withoutNothing({ toolName, parameter, field }) }
}

/** The words of a question, as people read them. */
export interface QuestionWords {
  /** The whole sentence; marked as a question, if somebody answers it. */
  question: string
  asked: string
  /** What to enter, or why it is asked. */
  hint?: string
  /** Titles of the other missing fields. */
  alsoNeeded?: string[]
  /** For an approval, or a form that is one too: what will be done, the verb on its button, and what it is then. */
  confirm?: string
  /** The same as a statement, for whatever is told of it once nobody asks any more. */
  statement?: string
  button?: string
  past?: string
}

/** What asks whether to do the same thing once more. */
const again: ReadonlySet<string> = new Set(['approve_again', 'approve_after_unknown', 'outcome_unknown'])

/** What a question says, in a language: by its code and values, else as it is stored. */
export function wordsOfQuestion(
  item: Omit<QuestionEntry, 'itemId' | 'intent' | 'askedAt'>,
  tools: ReadonlyMap<string, ToolSpecification>,
  language: Language = english,
): QuestionWords {
  const { kind, code, codeValues: values = {}, why, asked = '', hint: stored } = item
  const about: About = { tool: tools.get(item.toolName), input: showOpen(keptArguments(item)) }
  const parts = sayTo(language, { code, values }, about) ?? {
    asked: asked || sayPlainly(language, named(item, tools), about.input),
    hint: stored,
  }
  const approval = why ? sayTo(language, why, about) : parts
  const because = why && approval?.because
  const alsoNeeded = neededIn(values, toolOf(language, item.toolName))
  const changed = item.changed?.length
    ? sayTo(language, { code: 'changed', values: changedValues(item) })?.asked
    : undefined
  const needed = alsoNeeded && language.alsoNeeded(alsoNeeded)
  const sentence = [changed, joinParts(parts), needed, because].filter(Boolean).join(' ')
  const hint = [parts.because, parts.hint, because].filter(Boolean).join(' ')
  // Nobody answers the clock, and a tool's question is attributed to the tool.
  const isPlain = kind === 'wait' || code === 'tool_asks' || code === 'tool_says'
  // A yes to reading opens whole sites: it is no verb of the tool's.
  const hasButton = canBeApproved(item) && values.isReading !== true
  const isAgain = again.has((why ?? { code }).code ?? '')
  return {
    question: isPlain || !isEnglish(language) ? sentence : `Question: ${sentence}`,
    asked: parts.asked,
    ...withoutNothing({
      hint: hint === '' ? undefined : hint,
      alsoNeeded,
      confirm: canBeApproved(item) ? (approval?.confirm ?? approval?.asked) : undefined,
      // Without what was done before, which is neither asked nor told as what was not done now.
      statement: canBeApproved(item)
        ? stateFor(language, { ...(why?.values ?? values), input: undefined }, about) || undefined
        : undefined,
      button: hasButton ? buttonFor(language, item.toolName, { ...about, isAgain }) : undefined,
      past: canBeApproved(item) ? pastFor(language, item.toolName, about) : undefined,
    }),
  }
}

/** The tool of a question, for a sentence that has no words. */
function named(
  { toolName }: Pick<QuestionEntry, 'toolName'>,
  tools: ReadonlyMap<string, ToolSpecification>,
): Record<string, unknown> {
  return toolName === '' ? {} : { toolName, tool: titleOf(tools.get(toolName) ?? { name: toolName }) }
}

/** What a question says to whoever decides it, to be kept with the decision. */
export function showQuestion(
  item: QuestionEntry,
  tools: ReadonlyMap<string, ToolSpecification>,
  language: Language,
): Shown {
  const { question, confirm = '' } = wordsOfQuestion(item, tools, language)
  const sentence = withoutMark(question)
  return {
    code: item.code,
    ...withoutNothing({ values: item.codeValues }),
    language: language.locale,
    // A form says beside its question what will be done.
    sentence: sentence.includes(confirm) ? sentence : `${sentence} ${confirm}`,
  }
}

/** The titles of the other missing fields. */
function neededIn(
  { also, needed }: Record<string, unknown>,
  own: ToolWords | undefined,
): string[] | undefined {
  if (!Array.isArray(needed)) return undefined
  const titles = needed.flatMap((title, index) => {
    const path = String(Array.isArray(also) ? also[index] : '')
    const words = fieldOf(own, path)
    if (words?.title) return titleAt(words, path)
    return typeof title === 'string' ? title : []
  })
  return titles.length > 0 ? titles : undefined
}
