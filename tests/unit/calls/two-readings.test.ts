import { describe, expect, it } from 'vitest'
import type { JsonSchema } from '../../../shared/engine/core/json-schema.ts'
import { formatToolError } from '../../../shared/index.ts'
import { prepare, tool } from './fixture.ts'

const rowsOf = (items: JsonSchema) =>
  tool(
    'append_rows',
    { values: { type: 'array', items: { type: 'array', items } } },
    { required: ['values'] },
  )

const correctionOf = (prepared: ReturnType<typeof prepare>) =>
  prepared.ok ? 'runs' : prepared.error.details.correction

describe('a list of lists', () => {
  it('is one row where single values were sent, and that is only proposed', () => {
    for (const [items, values] of [
      [{ type: 'string' }, ['Ada', 'Lovelace', '1815']],
      [{ type: 'number' }, [1, 2, 3]],
      [{}, ['a', 1]],
    ] as const)
      expect(correctionOf(prepare(rowsOf(items), { values }))).toEqual({
        name: 'append_rows',
        arguments: { values: [values] },
        open: [],
      })
  })

  it('is asked about where the row does not fit, where some items are lists, and on more levels', () => {
    const pairs = {
      type: 'array',
      items: { type: 'array', items: { type: 'number' }, minItems: 2, maxItems: 2 },
    }
    const corrections = [
      prepare(tool('draw', { points: pairs }, { required: ['points'] }), { points: [1, 2, 3] }),
      prepare(rowsOf({ type: 'string' }), { values: [['a'], 'b'] }),
      prepare(rowsOf({ type: 'array', items: { type: 'string' } }), { values: [['a', 'b']] }),
      prepare(rowsOf({ type: 'string' }), { values: 'a' }),
      prepare(rowsOf({ type: 'number' }), { values: '1, 2, 3' }),
    ].map((prepared) => correctionOf(prepared))
    for (const correction of corrections)
      expect(correction).toMatchObject({ open: expect.arrayContaining([expect.any(String)]) })
  })

  it('is asked about where one list is too many, unless all readings are the same', () => {
    const of = (values: unknown, items: JsonSchema) => correctionOf(prepare(rowsOf(items), { values }))
    expect(of([[[1], [2]]], { type: 'number' })).toMatchObject({ open: ['values'] })
    const tags = tool('tag', { tags: { type: 'array', items: { type: 'string' } } }, { required: ['tags'] })
    expect(correctionOf(prepare(tags, { tags: [['red']] }))).toEqual({
      name: 'tag',
      arguments: { tags: ['red'] },
      open: [],
    })
    const value = { anyOf: [{ type: 'number' }, { type: 'array', items: { type: 'string' } }] }
    expect(
      correctionOf(prepare(tool('set', { value }, { required: ['value'] }), { value: [42] })),
    ).toMatchObject({ open: ['value'] })
  })

  it('is still made of one value where only that was to be a list', () => {
    const tags = tool('tag', { tags: { type: 'array', items: { type: 'string' } } }, { required: ['tags'] })
    expect(prepare(tags, { tags: 'red' })).toMatchObject({ ok: true, args: { tags: ['red'] } })
  })
})

describe('a wrapper that was left out', () => {
  const pipeline = {
    type: 'object',
    properties: { project: { type: 'string' }, branch: { type: 'string' }, count: { type: 'integer' } },
    required: ['project'],
    additionalProperties: false,
  }

  it('is put around, with the repairs inside it, where all names belong there', () => {
    const run = tool('run', { params: pipeline }, { additionalProperties: false })
    expect(prepare(run, { project: 'a', Branch: 'main', count: '5' })).toMatchObject({
      ok: true,
      args: { params: { project: 'a', branch: 'main', count: 5 } },
      repairs: [
        { path: 'params', rule: 'wrapper-added' },
        { path: 'params.branch' },
        { path: 'params.count' },
      ],
    })
  })

  it('is proposed where something is missing inside, or something stands beside it', () => {
    const run = tool(
      'run',
      { params: pipeline, dry: { type: 'boolean' } },
      { additionalProperties: false, required: ['params'] },
    )
    expect(correctionOf(prepare(run, { branch: 'main' }))).toMatchObject({
      arguments: { params: { branch: 'main', project: expect.stringMatching(/^</) } },
      open: ['params.project'],
    })
    expect(correctionOf(prepare(run, { dry: true, project: 'a' }))).toEqual({
      name: 'run',
      arguments: { dry: true, params: { project: 'a' } },
      open: [],
    })
  })

  it('is not guessed where two objects have room for the names', () => {
    const run = tool('run', { before: pipeline, after: pipeline }, { additionalProperties: false })
    expect(correctionOf(prepare(run, { project: 'a' }))).toBeUndefined()
  })
})

describe('the call that is proposed back', () => {
  const archive = tool(
    'archive',
    { filter: { type: 'object', properties: { from: { type: 'string' } }, additionalProperties: false } },
    { additionalProperties: false },
  )

  it('never leaves out everything that was sent, in an object either', () => {
    expect(correctionOf(prepare(archive, { sender: 'ada', before: '2025-01-01' }))).toBeUndefined()
    expect(correctionOf(prepare(archive, { filter: { sender: 'ada' } }))).toMatchObject({ open: ['filter'] })
  })

  it('names what it leaves out, however much that is', () => {
    const names = Array.from({ length: 20 }, (_, index) => `undeclared_parameter_number_${index}`)
    const args = { from: 'ada', ...Object.fromEntries(names.map((name) => [name, 'x'])) }
    const search = tool('search', { from: { type: 'string' } }, { additionalProperties: false })
    const prepared = prepare(search, args)
    expect(correctionOf(prepared)).toMatchObject({ arguments: { from: 'ada' }, open: [] })
    const text = prepared.ok
      ? ''
      : formatToolError(prepared.error, { attempt: 1, maxAttempts: 3, tool: search })
    for (const name of names) expect(text).toContain(name)
  })

  it('is `{}` for a tool that takes nothing', () => {
    expect(
      correctionOf(prepare(tool('ping', {}, { additionalProperties: false }), { now: true })),
    ).toMatchObject({
      arguments: {},
      open: [],
    })
  })
})
