import { closed } from './closed.ts'
import { endings } from './endings.ts'
import { notices } from './notices.ts'
import { waits } from './waits.ts'

/** All sentences of ours, by language and code; what a subject is about stands in its own file. */
export const catalogue = {
  en: { ...closed.en, ...endings.en, ...notices.en, ...waits.en },
  de: { ...closed.de, ...endings.de, ...notices.de, ...waits.de },
}
