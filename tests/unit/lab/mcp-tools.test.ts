import { describe, expect, test } from 'vitest'
import { judgeCall } from '../../../lab/mcp-tools/judge.ts'
import { measureServers, tableOf } from '../../../lab/mcp-tools/measure.ts'
import { ownServers } from '../../../lab/mcp-tools/servers.ts'
import { makeValidCall } from '../../../lab/mcp-tools/valid-call.ts'
import type { ToolSpecification } from '../../../shared/engine/core/tool-specification.ts'
import { validate } from '../../../shared/engine/schema/validate.ts'
import { seededRandom } from '../../../support/seeded-random.ts'

const tool: ToolSpecification = {
  name: 'add_rows',
  description: '',
  effect: 'write',
  parameters: {
    type: 'object',
    properties: {
      sheet: { type: 'string' },
      rows: { type: 'array', items: { type: 'array', items: { type: 'number' } } },
      format: { anyOf: [{ enum: ['plain', 'bold'] }, { type: 'null' }] },
    },
    required: ['sheet', 'rows'],
    additionalProperties: false,
  },
}

test('our own tools are called as they are meant, or asked about', () => {
  const results = measureServers(ownServers())
  expect(results.flatMap(({ wrong }) => wrong.map(({ line }) => line))).toEqual([])
  expect(tableOf(results)).toMatch(/\| all \| \d+ \| \d{4,} \|.*\| 0 \|$/)
})

test('calls are valid, and the same ones each time', () => {
  const make = () => {
    const random = seededRandom(7)
    return Array.from({ length: 50 }, () => makeValidCall(tool.parameters, random))
  }
  for (const call of make()) expect(validate(tool.parameters, call)).toEqual([])
  expect(make()).toEqual(make())
  expect(new Set(make().map((call) => JSON.stringify(call))).size).toBeGreaterThan(40)
})

describe('it is wrong', () => {
  const args = { sheet: 'Sales', rows: [[1, 2]] }
  const judge = (kind: 'valid' | 'cut' | 'wrapped', sent: unknown) =>
    judgeCall({ kind, name: 'add_rows', raw: JSON.stringify(sent), sent }, { tool, tools: [tool], args })
      .wrong

  test.each([
    ['to run a call that was cut', judge('cut', args), /^runs a call that was cut$/],
    [
      'to run another call',
      judge('wrapped', { sheet: 'Sales', rows: '[[1, 3]]' }),
      /^runs another call: .*1,3/,
    ],
    ['to propose another call', judge('wrapped', { sheet: 'Costs', rows: [3, 4] }), /^proposes another call/],
  ])('%s', (_, wrong, words) => {
    expect(wrong).toMatch(words)
  })

  test('not to run what is meant', () => {
    expect(judge('valid', args)).toBeUndefined()
    expect(judge('wrapped', { params: args })).toBeUndefined()
  })
})
