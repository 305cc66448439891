/** Writes `docs/sentences.md`: the codes of all sentences and refused requests, with their meanings and values. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from './platform.ts'
import { makeSentencesPage } from './sentences/page.ts'

await writeFile(join(root, 'docs/sentences.md'), makeSentencesPage())
