/**
 * `npm run lab -- fuzz [--seed NUMBER] [--cases NUMBER]`: agents with tools of random schemas, whose models answer anything.
 * Nothing may throw, no valid call may be refused or changed, no tool may run with arguments that its schema refuses, and
 * no write may happen without a claim of its own. The same seed plays the same cases; `--cases 1` plays one again.
 */
import { parseArgs } from 'node:util'
import { writeMeasured } from '../measured.ts'
import { type Played, play } from './play.ts'

const { values } = parseArgs({ options: { seed: { type: 'string' }, cases: { type: 'string' } } })
const first = Number(values.seed ?? 1)
const cases = Number(values.cases ?? 5000)
const shown = 20

const all: Played[] = []
for (let seed = first; seed < first + cases; seed++) {
  const played = await play(seed)
  all.push(played)
  for (const problem of played.problems) {
    if (all.flatMap(({ problems }) => problems).length <= shown) console.error(`--seed ${seed}: ${problem}`)
  }
}
const sum = (count: (played: Played) => number) => all.reduce((total, one) => total + count(one), 0)
const problems = sum((one) => one.problems.length)
const table = `| agents | tools | valid calls tried | answers of models | writes carried out | faults |
|---:|---:|---:|---:|---:|---:|
| ${cases} | ${sum((one) => one.tools)} | ${sum((one) => one.valid)} | ${sum((one) => one.answers)} | ${sum((one) => one.effects)} | ${problems} |`
console.log(table)
if (values.seed === undefined && values.cases === undefined) await writeMeasured('npm run lab -- fuzz', table)
if (problems > 0) process.exitCode = 1
