/**
 * `npm run lab -- wires FILE`: what the engine makes of recorded answers of model servers, and of what models write as
 * text. `--unseen`: the texts are of families that need not be read, only never be shown.
 */
import { readOptions } from '../options.ts'
import { isEnough, measureWires, reportOf } from './measure.ts'
import { readRows } from './rows.ts'

const { path, values } = readOptions('wires FILE', { unseen: { type: 'boolean' } })
const results = await measureWires(await readRows(path), values.unseen ?? false)
console.log(reportOf(results))
if (!isEnough(results)) process.exitCode = 1
