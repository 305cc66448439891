/**
 * `npm run lab -- sentences FILE [--dir FOLDER]`: writes down every sentence that people and models are told, a line of
 * JSON each: in the corpora of the folder, the conformance scenarios, the examples of docs/api.md and the pages.
 * `npm run lab -- sentences --compare FILE FILE` prints what differs between two such files.
 */
import { parseArgs } from 'node:util'
import { compareSentences, describeDifference } from './compare.ts'
import { recordSentences } from './record.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { dir: { type: 'string' }, compare: { type: 'boolean' } },
})
const [file, other, ...more] = positionals
if (values.compare && file !== undefined && other !== undefined && more.length === 0) {
  const differences = await compareSentences(file, other)
  console.log(describeDifference(differences))
  if (differences.length > 0) process.exitCode = 1
} else if (!values.compare && file !== undefined && other === undefined) {
  await recordSentences(file, values.dir)
  process.exit()
} else {
  console.error(
    'Run: npm run lab -- sentences FILE [--dir FOLDER], or: npm run lab -- sentences --compare FILE FILE',
  )
  process.exitCode = 1
}
