/**
 * `npm run lab -- agentdojo`: how well the engine stands up to what stands in the mails, files and pages that it reads,
 * as a table for docs/measurements.md. `--cases` lists what got through, and every question.
 *
 * `npm run lab -- wires FILE`: what the engine makes of recorded answers of model servers, and of what models write as
 * text. `--unseen`: the texts are of families that need not be read, only never be shown.
 *
 * `npm run lab -- window`: what models of all windows are sent in long conversations, as a table for docs/measurements.md,
 * counted with a real tokenizer (installed by `npm ci --prefix bench`). `--only 8,192`: only the scenes with this in their
 * name.
 *
 * `npm run lab -- pages FOLDER`: how much of what a visitor sees of web pages is read, as figures for
 * docs/measurements.md; each page is a folder with a `source.html`. `--cases` lists the pages of which least is read.
 *
 * `npm run lab -- mcp-tools [FOLDER]`: what the engine makes of calls that came wrong, of the tools in recorded answers to
 * `tools/list` of MCP servers (a file each), as a table for docs/measurements.md; without a folder of our own tools. `--cases` lists all that went wrong.
 *
 * `npm run lab -- sentences FILE [--dir FOLDER]`: writes down every sentence that people and models are told, a line of
 * JSON each: in the corpora of the folder, the conformance scenarios, the examples of docs/api.md and the pages.
 * `npm run lab -- sentences --compare FILE FILE` prints what differs between two such files.
 */
import { parseArgs } from 'node:util'
import { writeMeasured } from '../scripts/measured.ts'
import { isMet, measureAgentDojo, tableOf } from './agentdojo/measure.ts'
import { measureServers, tableOf as tableOfServers } from './mcp-tools/measure.ts'
import { ownServers, readServers } from './mcp-tools/servers.ts'
import { describePages, isRead, measurePages } from './pages/measure.ts'
import { compareSentences, describeDifference } from './sentences/compare.ts'
import { recordSentences } from './sentences/record.ts'
import { lineOf, measureWindow, tableHead } from './window/measure.ts'
import { loadTokenizer } from './window/tokenizer.ts'
import { isEnough, measureWires, reportOf } from './wires/measure.ts'
import { readRows } from './wires/rows.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    cases: { type: 'boolean' },
    unseen: { type: 'boolean' },
    only: { type: 'string' },
    dir: { type: 'string' },
    compare: { type: 'boolean' },
  },
})
const [experiment, file, ...more] = positionals
if (experiment === 'wires' && file !== undefined && more.length === 0) {
  const results = await measureWires(await readRows(file), values.unseen ?? false)
  console.log(reportOf(results))
  if (!isEnough(results)) process.exitCode = 1
} else if (experiment === 'mcp-tools' && more.length === 0) {
  const results = measureServers(file === undefined ? ownServers() : await readServers(file))
  console.log(tableOfServers(results))
  const wrong = results.flatMap((result) => result.wrong)
  for (const { line } of values.cases ? wrong : wrong.slice(0, 20)) console.log(line)
  if (file !== undefined) await writeMeasured('npm run lab -- mcp-tools', tableOfServers(results))
  if (wrong.length > 0) process.exitCode = 1
} else if (positionals.join() === 'window') {
  console.log(tableHead)
  const count = await loadTokenizer('o200k')
  const rows = await measureWindow(count, (row) => console.log(lineOf(row)), values.only)
  if (values.only === undefined) {
    await writeMeasured('npm run lab -- window', [tableHead, ...rows.map(lineOf)].join('\n'))
  }
  if (!rows.every(({ isMet }) => isMet)) process.exitCode = 1
} else if (positionals.join() === 'agentdojo') {
  const rows = await measureAgentDojo()
  console.log(tableOf(rows))
  if (values.cases) {
    for (const { setting, what, cases } of rows.filter(({ cases }) => cases.length > 0))
      console.log(`\n${setting}, ${what}\n${cases.map((one) => `  ${one.replace(/\s+/g, ' ')}`).join('\n')}`)
  }
  await writeMeasured('npm run lab -- agentdojo', tableOf(rows))
  if (!rows.every(isMet)) process.exitCode = 1
} else if (experiment === 'sentences' && file !== undefined && values.compare) {
  const differences = await compareSentences(file, more[0] ?? '')
  console.log(describeDifference(differences))
  if (differences.length > 0) process.exitCode = 1
} else if (experiment === 'sentences' && file !== undefined && more.length === 0) {
  await recordSentences(file, values.dir)
  process.exit()
} else if (experiment === 'pages' && file !== undefined && more.length === 0) {
  const pages = await measurePages(file)
  console.log(describePages(pages))
  if (values.cases) {
    const least = pages.toSorted((one, other) => one.share - other.share).slice(0, 20)
    for (const { name, share } of least) console.log(`  ${name}: ${(share * 100).toFixed(0)} %`)
  }
  await writeMeasured('npm run lab -- pages', describePages(pages))
  if (!isRead(pages)) process.exitCode = 1
} else {
  console.error(
    `There is no experiment "${positionals.join(' ')}". Run: npm run lab -- agentdojo, or: npm run lab -- wires FILE, or: npm run lab -- window, or: npm run lab -- pages FOLDER, or: npm run lab -- mcp-tools [FOLDER], or: npm run lab -- sentences FILE`,
  )
  process.exitCode = 1
}
