/**
 * `npm run lab -- agentdojo`: how well the engine stands up to what stands in the mails, files and pages that it reads,
 * as a table for docs/measurements.md. `--cases` lists what got through, and every question.
 */
import { parseArgs } from 'node:util'
import { writeMeasured } from '../measured.ts'
import { isMet, measureAgentDojo, tableOf } from './measure.ts'

const { values } = parseArgs({ options: { cases: { type: 'boolean' } } })
const rows = await measureAgentDojo()
console.log(tableOf(rows))
if (values.cases) {
  for (const { setting, what, cases } of rows.filter(({ cases }) => cases.length > 0))
    console.log(`\n${setting}, ${what}\n${cases.map((one) => `  ${one.replace(/\s+/g, ' ')}`).join('\n')}`)
}
await writeMeasured('npm run lab -- agentdojo', tableOf(rows))
if (!rows.every(isMet)) process.exitCode = 1
