/**
 * `npm run lab -- window`: what models of all windows are sent in long conversations, as a table for docs/measurements.md,
 * counted with a real tokenizer (installed by `npm ci --prefix lab/bench`). `--only 8,192`: only the scenes with this in
 * their name.
 */
import { parseArgs } from 'node:util'
import { writeMeasured } from '../measured.ts'
import { lineOf, measureWindow, tableHead } from './measure.ts'
import { loadTokenizer } from './tokenizer.ts'

const { only } = parseArgs({ options: { only: { type: 'string' } } }).values
console.log(tableHead)
const count = await loadTokenizer('o200k')
const rows = await measureWindow(count, (row) => console.log(lineOf(row)), only)
if (only === undefined) {
  await writeMeasured('npm run lab -- window', [tableHead, ...rows.map(lineOf)].join('\n'))
}
if (!rows.every(({ isMet }) => isMet)) process.exitCode = 1
