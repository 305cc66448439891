import type { Language } from './language.ts'
import type { Say } from './said.ts'
import type { SentenceCode } from './sentence-codes.ts'

/** Any of the words, to any depth. */
type Some<Words> = Words extends string | readonly unknown[] | ((...values: never[]) => unknown)
  ? Words
  : { readonly [Name in keyof Words]?: Some<Words[Name]> }

/** What a project says in its own words in one language, in place of ours. */
export interface OwnWords<RefusalCode extends string = string>
  extends Some<Omit<Language, 'locale' | 'timeZone' | 'said' | 'refusals' | 'scopes' | 'inSettings'>> {
  /** By code: what each is about, and which values it has, is in docs/sentences.md. */
  readonly said?: { readonly [Code in SentenceCode]?: Say }
  /** Of these, those that are said differently in the settings. */
  readonly inSettings?: { readonly [Code in SentenceCode]?: Say }
  /** Why a request is refused, by code. */
  readonly refusals?: { readonly [Code in RefusalCode]?: string }
}
