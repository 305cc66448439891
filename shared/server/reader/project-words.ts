import { overrule } from '../../words/languages/languages.ts'
import type { OwnWords } from '../../words/own-words.ts'
import type { Refusals } from '../../words/refused/refused.ts'
import { writeLog } from '../log/log-line.ts'

/** What a project says in its own words, by the tag of the language (`en`, `de-AT`, `fr`): in place of ours, or besides. */
export type ProjectWords = Readonly<Record<string, OwnWords<Refusals>>>

/** Says it in this process from now on. */
export function useProjectWords(words: ProjectWords): void {
  for (const name of overrule(words)) {
    writeLog('words-not-used', {
      why: `"${name}" in askback-words.ts is no language. Use a BCP 47 tag, like "de" or "pt-BR".`,
    })
  }
}
