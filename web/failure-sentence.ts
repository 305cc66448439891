import { firstEnglish } from '../client/labels/en-first.ts'
import { describeFailure } from '../client/labels/failure.ts'
import { spokenLanguage } from './language.ts'

/** What went wrong, in the language of the page: the client says it by code, the app in words of its own. */
export function failureSentence(error: unknown): string {
  return describeFailure(error, spokenLanguage()?.client ?? firstEnglish)
}
