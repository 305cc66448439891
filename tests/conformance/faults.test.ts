import { describe, expect, test } from 'vitest'
import { faults } from '../../lab/conformance/faults/all.ts'
import { runFault } from '../../lab/conformance/run-fault.ts'

describe.each(faults)('%s', (_, group) => {
  for (const fault of group) {
    test.each([
      ['plain', false],
      ['streamed', true],
    ])(`${fault.name} (%s)`, async (_, stream) => {
      expect((await runFault(fault, stream)).problems).toEqual([])
    })
  }
})
