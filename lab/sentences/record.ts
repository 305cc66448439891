import { writeFile } from 'node:fs/promises'
import { sentencesOfCatalogue } from './catalogue.ts'
import { sentencesOfConformance } from './conformance.ts'
import { sentencesOfCorpora } from './corpora.ts'
import { sentencesOfLabels } from './labels.ts'
import { linesOf, type Sentence } from './sentence.ts'
import { sentencesOfStack } from './stack.ts'

/** Writes every sentence that people and models are told to a file, a line each. `corpora`: a folder of labelled data. */
export async function recordSentences(file: string, corpora: string | undefined): Promise<void> {
  const told: Sentence[] = [...sentencesOfCatalogue(), ...sentencesOfLabels()]
  if (corpora === undefined) console.error('The corpora are not recorded: pass their folder with --dir.')
  else told.push(...(await sentencesOfCorpora(corpora)))
  told.push(...(await sentencesOfConformance()), ...(await sentencesOfStack()))
  const lines = linesOf(told)
  await writeFile(file, `${lines.join('\n')}\n`)
  console.log(`${lines.length} sentences are in ${file}.`)
}
