import { firstEnglish } from '../../client/labels/en-first.ts'
import { describeFailure } from '../../client/labels/failure.ts'
import { spokenLanguage } from './language.ts'

/** Explains a failure in the page's language: the client translates codes, the app has its own texts. */
export function failureSentence(error: unknown): string {
  return describeFailure(error, spokenLanguage()?.client ?? firstEnglish)
}
