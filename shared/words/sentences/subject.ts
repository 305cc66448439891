import type { Say } from '../said.ts'
import type { SentenceCode } from '../sentence-codes.ts'

/** The languages that all sentences of ours are in. */
export type OwnLanguage = 'en' | 'de'

/** The sentences of a subject in each of our languages: an omission does not compile. */
export type Subject<Code extends SentenceCode> = Readonly<
  Record<OwnLanguage, { readonly [Name in Code]: Say }>
>
