import type { Language } from './language.ts'
import type { Refuse } from './refuse.ts'
import type { Say } from './said.ts'
import type { SentenceCode } from './sentence-codes.ts'

/** Any of the words, to any depth. */
type Some<Words> = Words extends string | readonly unknown[] | ((...values: never[]) => unknown)
  ? Words
  : { readonly [Name in keyof Words]?: Some<Words[Name]> }

/** What a project says in its own words in one language: in place of ours, or in a language that we do not have. */
export interface OwnWords<Refusals extends object = object>
  extends Some<
    Omit<
      Language,
      'locale' | 'timeZone' | 'otherwise' | 'said' | 'refusals' | 'scopes' | 'inSettings' | 'meanings'
    >
  > {
  /** By code: what each is about, and which values it has, is in docs/sentences.md. */
  readonly said?: { readonly [Code in SentenceCode]?: Say }
  /** Of these, those that are said differently in the settings; the others are said there as anywhere else. */
  readonly inSettings?: { readonly [Code in SentenceCode]?: Say }
  /** Why a request is refused, by code. */
  readonly refusals?: { readonly [Code in keyof Refusals]?: Refuse<Refusals[Code]> }
}
