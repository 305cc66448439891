/**
 * `npm run chaos`: kills functions, PostgreSQL and the whole stack at each await of a run that sends a mail, over SMTP or
 * Gmail, and freezes functions (SIGSTOP) for 3, 8, 16 or 42 s at random awaits, while clients repeat, drop and double what
 * they ask, and counts mails. `--kills 1000 --each 20 --of
 * both,postgres,stack --seed 1 --seconds 3600 --at-once 6`
 * Prints a table for docs/measurements.md, and what happened in each conversation that went wrong; exit code 1 if there is
 * one.
 */
import { parseArgs } from 'node:util'
import { writeMeasured } from '../measured.ts'
import { describeVerdict, isWrong, renderTable, renderTotals } from './report.ts'
import type { Verdict } from './run-scenario.ts'
import { victims } from './scenario.ts'
import { storm } from './storm.ts'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '1000' },
    each: { type: 'string', default: '0' },
    of: { type: 'string', default: victims.join() },
    seed: { type: 'string', default: '1' },
    seconds: { type: 'string', default: '7200' },
    'at-once': { type: 'string', default: '6' },
  },
})
const begun = Date.now()
const soFar: Verdict[] = []
const { verdicts, struck, tally } = await storm({
  kills: Number(values.kills),
  each: Number(values.each),
  of: victims.filter((victim) => values.of.split(',').includes(victim)),
  seed: Number(values.seed),
  seconds: Number(values.seconds),
  atOnce: Number(values['at-once']),
  onVerdict(verdict, soFarStruck) {
    soFar.push(verdict)
    if (isWrong(verdict)) console.log(describeVerdict(verdict))
    if (soFar.length % 20 === 0)
      console.log(`${Math.round((Date.now() - begun) / 1000)} s: ${renderTotals(soFar, soFarStruck)}`)
  },
})
const measured = `${renderTable(verdicts, tally)}\n${renderTotals(verdicts, struck)}`
console.log(measured)
await writeMeasured('npm run chaos', `\`\`\`\n${measured}\n\`\`\``)
process.exitCode = verdicts.some(isWrong) ? 1 : 0
