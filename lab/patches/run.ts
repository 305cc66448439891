/**
 * `npm run lab -- patches`: what it buys that the local data API has a connection of its own, and that the validator of
 * schemas is given our check of email addresses.
 */
import { writeMeasured } from '../measured.ts'
import { measureEmailFormat } from './email-format.ts'

const { total, refused, accepted } = measureEmailFormat()
// It loads the engine, which replaces the validator's check.
const { measureDataApi } = await import('./data-api.ts')
const costs = await measureDataApi()
const measured = [
  '| a call of a function by the local data API | p50 | round trips to the database |',
  '|---|---:|---:|',
  ...costs.map(
    ({ connection, ms, roundTrips }) => `| ${connection} | ${ms.toFixed(1)} ms | ${roundTrips.toFixed(1)} |`,
  ),
  '',
  `Of ${total} email addresses, the validator's own check refuses ${refused} to which the mail functions send, and accepts ${accepted} that they refuse.`,
].join('\n')
console.log(measured)
await writeMeasured('npm run lab -- patches', measured)
process.exit()
