import type { FaultScript } from '../fault.ts'
import { brokenJson } from './broken-json.ts'
import { ordinary } from './ordinary.ts'
import { silentModels } from './silent-models.ts'
import { toolFailures } from './tool-failures.ts'
import { wrongCalls } from './wrong-calls.ts'

/** The catalogue, by where the fault arises. */
export const faults: readonly (readonly [string, readonly FaultScript[]])[] = [
  ['Nothing wrong', ordinary],
  ['Wrong calls', wrongCalls],
  ['Broken JSON', brokenJson],
  ['Failing tools', toolFailures],
  ['Silent, stubborn and broken models', silentModels],
]
