/**
 * `npm run corpora -- --dir <folder>`: how good the engine is on labelled data, as a table of goals and measured values for
 * docs/measurements.md. A row without a goal is an observation: it is shown, and cannot be missed.
 * `--missed` lists the cases that missed, `--only <word>` runs the measurements whose name has that word.
 * The data is no part of the product; each measurement is a file of lab/corpora/.
 */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { writeMeasured } from '../measured.ts'
import { measureApiErrors } from './api-errors.ts'
import { measureEmail } from './email.ts'
import { measureFaults } from './faults.ts'
import { measureHeaderInjection } from './header-injection.ts'
import { measureHostileInput } from './hostile-input.ts'
import { measureMalformed } from './malformed.ts'
import { type Measurement, reaches } from './measurement.ts'
import { measureMutations } from './mutations.ts'
import { measureProvenance } from './provenance.ts'
import { measureValidCalls } from './valid-calls.ts'
import { measureWebAddresses } from './web-addresses.ts'

const measurements: Record<string, (dir: string) => Promise<Measurement[]>> = {
  faults: measureFaults,
  'valid calls': measureValidCalls,
  mutations: measureMutations,
  malformed: measureMalformed,
  'hostile input': measureHostileInput,
  'api errors': measureApiErrors,
  email: measureEmail,
  'header injection': measureHeaderInjection,
  provenance: measureProvenance,
  'web addresses': measureWebAddresses,
}

const { values } = parseArgs({
  options: { dir: { type: 'string' }, missed: { type: 'boolean' }, only: { type: 'string' } },
})
const dir = values.dir === undefined ? undefined : resolve(values.dir)

if (dir === undefined || !existsSync(dir)) {
  console.error(
    `${dir === undefined ? 'No folder was given' : `There is no folder ${dir}`}: pass --dir with labelled tool calls, made from` +
      ' the Berkeley Function Calling Leaderboard (gorilla.cs.berkeley.edu), tau-bench, the tests of jsonrepair and' +
      ' json_repair, and the big list of naughty strings (see docs/measurements.md).',
  )
  process.exitCode = 1
} else {
  process.exitCode = (await printTable(dir)) ? 0 : 1
}

/** True when every goal was reached. A run with all measurements goes into the documentation. */
async function printTable(folder: string): Promise<boolean> {
  const chosen = Object.entries(measurements).filter(([name]) => name.includes(values.only ?? ''))
  const rows: Measurement[] = []
  for (const [, measure] of chosen) rows.push(...(await measure(folder)))
  const width = Math.max(...rows.map((row) => row.name.length))
  const lines = rows.map((row) => {
    const mark = reaches(row) ? ' ' : '!'
    const goal = (row.goal ?? 'observed').padStart(9)
    return `${mark} ${row.name.padEnd(width)}  ${goal}  ${row.value.padStart(8)}  ${row.hits}/${row.total}`
  })
  for (const [index, line] of lines.entries()) {
    console.log(line)
    if (values.missed)
      for (const label of rows[index]?.missed ?? []) console.log(`    ${label.replace(/\s+/g, ' ')}`)
  }
  const goals = rows.filter(({ goal }) => goal !== undefined)
  const reached = goals.filter(reaches).length
  const summary = `${reached} of ${goals.length} goals reached, ${rows.length - goals.length} observations without a goal`
  console.log(`\n${summary}`)
  if (values.only === undefined)
    await writeMeasured('npm run corpora', ['```', ...lines, '', summary, '```'].join('\n'))
  return reached === goals.length
}
