import { type Asked, sentenceOf } from '../core/asked.ts'
import type { QuestionEntry } from './entry.ts'

/** What a question to people says, as its entry holds it: the sentence, and the parts that it is made of. */
export function wordQuestion(
  { code, values, because, asked, hint, alsoNeeded }: Asked,
  kind?: QuestionEntry['kind'],
): Pick<QuestionEntry, 'question' | 'code' | 'codeValues' | 'asked' | 'hint' | 'alsoNeeded'> {
  const sentence = sentenceOf({ because, asked, hint, alsoNeeded })
  // The clock answers nobody, and a tool that asks is said to.
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
