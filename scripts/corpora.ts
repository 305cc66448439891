/**
 * `npm run corpora -- --dir <folder>`: how good the engine is on labelled data, as a table of goals and measured values.
 * `--missed` lists the cases that missed, `--only <word>` runs the measurements whose name has that word.
 * The data is no part of the product; each measurement is a file of scripts/corpora/.
 */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { measureApiErrors } from './corpora/api-errors.ts'
import { measureEmail } from './corpora/email.ts'
import { measureFaults } from './corpora/faults.ts'
import { measureHeaderInjection } from './corpora/header-injection.ts'
import { measureHostileInput } from './corpora/hostile-input.ts'
import { measureMalformed } from './corpora/malformed.ts'
import { type Measurement, reaches } from './corpora/measurement.ts'
import { measureMutations } from './corpora/mutations.ts'
import { measureProvenance } from './corpora/provenance.ts'
import { measureValidCalls } from './corpora/valid-calls.ts'
import { measureWebAddresses } from './corpora/web-addresses.ts'

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
      ' json_repair, and the big list of naughty strings (see README, "Measuring").',
  )
  process.exitCode = 1
} else {
  process.exitCode = (await printTable(dir)) ? 0 : 1
}

/** True when every goal was reached. */
async function printTable(folder: string): Promise<boolean> {
  const chosen = Object.entries(measurements).filter(([name]) => name.includes(values.only ?? ''))
  const rows: Measurement[] = []
  for (const [, measure] of chosen) rows.push(...(await measure(folder)))
  const width = Math.max(...rows.map((row) => row.name.length))
  for (const row of rows) {
    const mark = reaches(row) ? ' ' : '!'
    const cases = `${row.hits}/${row.total}`
    console.log(
      `${mark} ${row.name.padEnd(width)}  ${row.goal.padStart(9)}  ${row.value.padStart(8)}  ${cases}`,
    )
    if (values.missed) for (const label of row.missed ?? []) console.log(`    ${label.replace(/\s+/g, ' ')}`)
  }
  const short = rows.filter((row) => !reaches(row)).length
  console.log(
    short === 0 ? `\nall ${rows.length} goals reached` : `\n${short} of ${rows.length} goals not reached`,
  )
  return short === 0
}
