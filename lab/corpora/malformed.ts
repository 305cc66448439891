import { isDeepStrictEqual as same } from 'node:util'
import { readArguments } from '../../shared/engine/reading/read-arguments.ts'
import { type Measurement, readCases, Tally } from './measurement.ts'

interface Case {
  id: string
  raw_arguments: string
  expected_object: unknown
  consensus: boolean
  truncated: boolean
}

const completed = 'cut texts completed'
const misread = 'texts read differently from what both repair libraries read'
const read = 'whole texts read'

/** Broken JSON that two repair libraries collected. They guess; what is read here has one reading. */
export async function measureMalformed(dir: string): Promise<Measurement[]> {
  const tally = new Tally()
  for (const one of await readCases<Case>(dir, 'malformed')) {
    const reading = readArguments(one.raw_arguments)
    const label = `${one.id} ${one.raw_arguments.slice(0, 120)}`
    if (one.truncated) {
      tally.add(completed, !reading.ok, label)
      continue
    }
    if (one.consensus) tally.add(misread, !reading.ok || same(reading.value, one.expected_object), label)
    tally.add(read, reading.ok, label)
  }
  const whole = tally.share(read)
  return [tally.failures(completed), tally.failures(misread), whole].map((measurement) => ({
    ...measurement,
    name: `malformed: ${measurement.name}`,
  }))
}
