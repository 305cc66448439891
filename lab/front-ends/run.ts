/**
 * `npm run lab -- front-ends`: plays scenes of clients of the OpenAI endpoint (Open WebUI, LibreChat, SDKs, proxies) against
 * the whole stack, whose model calls the mail tool whenever it can, and counts mails. `--only WORD` plays the scenes in
 * whose names the word stands. Prints a table, and what happened in each scene that went wrong; exit code 1 if there
 * is one.
 */
import { parseArgs } from 'node:util'
import { writeMeasured } from '../measured.ts'
import { play } from './play.ts'
import { describeVerdict, isWrong, renderTable, renderTotals } from './report.ts'
import { scenes } from './scenes.ts'

const { values } = parseArgs({
  options: { only: { type: 'string', default: '' }, 'at-once': { type: 'string', default: '8' } },
})
const chosen = scenes.filter(({ name }) => name.includes(values.only))
if (chosen.length === 0) {
  console.error(`No scene has "${values.only}" in its name.`)
  process.exit(1)
}
const verdicts = await play(chosen, {
  atOnce: Number(values['at-once']),
  onVerdict: (verdict) => isWrong(verdict) && console.log(`${describeVerdict(verdict)}\n`),
})
console.log(renderTable(verdicts))
console.log(renderTotals(verdicts))
if (values.only === '') await writeMeasured('npm run lab -- front-ends', `${renderTotals(verdicts)}.`)
process.exitCode = verdicts.some(isWrong) ? 1 : 0
