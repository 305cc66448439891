import type { refusals } from '../../api/refusals.ts'
import type { OwnWords } from '../../words/own-words.ts'

/** What a project says in its own words, by the tag of the language (`en`, `de`), in place of ours. */
export type ProjectWords = Readonly<Record<string, OwnWords<keyof typeof refusals>>>
