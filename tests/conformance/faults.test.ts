import { describe, expect, test } from 'vitest'
import { faults } from './faults/all.ts'
import { runFault } from './run-fault.ts'

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
