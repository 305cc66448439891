import { describe, expect, test } from 'vitest'
import { judgeCall } from '../../../lab/mcp-tools/judge.ts'
import { measureServers, tableOf } from '../../../lab/mcp-tools/measure.ts'
import { measureDefinitions } from '../../../lab/mcp-tools/measure-definitions.ts'
import { ownServers } from '../../../lab/mcp-tools/servers.ts'
import { makeValidCall } from '../../../lab/mcp-tools/valid-call.ts'
import type { ToolSpecification } from '../../../shared/engine/core/tool-specification.ts'
import { validate } from '../../../shared/engine/schema/validate.ts'
import { importTools } from '../../../shared/integrations/mcp/import-tools.ts'
import { specify } from '../../../shared/integrations/mcp/specify.ts'
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
  expect(tableOf(results)).toMatch(/\| all \| \d+ \| 0 \| \d{4,} \|.*\| 0 \|$/)
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

/** Tools as servers list them: a reference, a wrapper, choices, and values of any kind. */
const listed = [
  { name: 'add_rows', description: 'Adds rows.', inputSchema: tool.parameters },
  {
    name: 'move.page',
    description: 'Moves a page.',
    inputSchema: {
      type: 'object',
      properties: {
        params: {
          type: 'object',
          properties: {
            id: { $ref: '#/$defs/id' },
            to: { oneOf: [{ $ref: '#/$defs/id' }, { type: 'null' }] },
          },
          required: ['id'],
        },
      },
      required: ['params'],
      $defs: { id: { type: 'string', minLength: 1 } },
    },
    annotations: { readOnlyHint: false },
  },
  { name: 'query', description: 'Asks for anything.', inputSchema: { type: 'object' } },
]

test('definitions that come spoiled are read, or left out, and their calls pass', async () => {
  const { definitions, taken, compatible, wrong } = await measureDefinitions([listed, listed, listed])
  expect(wrong).toEqual([])
  expect(definitions).toBe(360)
  expect(taken).toBeGreaterThan(180)
  expect(compatible).toBeGreaterThan(20)
})

test('a call of a server that is meant by another name is wrong', async () => {
  const { tools } = await importTools(listed, { server: 'docs', taken: [] })
  const [foreign] = tools.map((one) => specify(one, { name: 'docs', trusted: true }))
  if (!foreign) throw new Error('It was left out.')
  const { foreign: _, ...ours } = foreign
  const args = { sheet: 'Sales', rows: [[1, 2]] }
  const judge = (one: ToolSpecification) =>
    judgeCall(
      { kind: 'other tool name', name: 'docs_add_rows', raw: JSON.stringify(args), sent: args },
      { tool: { ...one, foreign: true }, tools: [one], args },
    ).wrong
  expect(judge(foreign)).toBeUndefined()
  expect(judge(ours)).toBe('takes another name for that of a server')
})
