import type { Labels } from '../../client/labels/en.ts'
import type { accountWords } from '../pages/account/words.ts'

/** All words of the app in one language: a part that is forgotten does not compile. */
export interface Language {
  client: Labels
  account: ReturnType<typeof accountWords>
}
