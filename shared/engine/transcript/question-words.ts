import { type Asked, sentenceOf } from '../core/asked.ts'
import { withoutMark } from '../core/question-mark.ts'
import { changedWords } from '../wording/changed-words.ts'
import type { QuestionEntry } from './entry.ts'

/** The words of a question to people, as its entry stores them: the sentence, and its parts. */
export function wordQuestion(
  { code, values, because, asked, hint, alsoNeeded }: Asked,
  kind?: QuestionEntry['kind'],
): Pick<QuestionEntry, 'question' | 'code' | 'codeValues' | 'asked' | 'hint' | 'alsoNeeded'> {
  const sentence = sentenceOf({ because, asked, hint, alsoNeeded })
  // Nobody answers the clock, and a tool's question is attributed to the tool.
  const isPlain = kind === 'wait' || code === 'tool_asks' || code === 'tool_says'
  const beside = [because, hint].filter(Boolean).join(' ')
  return {
    question: isPlain ? sentence : `Question: ${sentence}`,
    code,
    ...(values ? { codeValues: values } : {}),
    asked,
    ...(beside === '' ? {} : { hint: beside }),
    ...(alsoNeeded?.length ? { alsoNeeded } : {}),
  }
}

/** The whole sentence of a question: first what has changed since it was asked before. */
export function wholeQuestion({
  question,
  changed = [],
}: Pick<QuestionEntry, 'question' | 'changed'>): string {
  return changed.length === 0 ? question : `Question: ${changedWords(changed)} ${withoutMark(question)}`
}
