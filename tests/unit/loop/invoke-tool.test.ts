import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import type { ExecuteContext } from '../../../shared/engine/core/tool-specification.ts'
import { invokeTool } from '../../../shared/engine/loop/round/invoke-tool.ts'
import { defineTool } from '../../../shared/engine/tools/define-tool.ts'
import { createToolLibrary } from '../../../shared/engine/tools/tool-library.ts'

function library(execute: (args: { to: string; count: number }, context: ExecuteContext) => unknown) {
  const parameters = z.object({
    to: z.email().meta({ question: 'Who should I send this email to?' }),
    count: z.number().int().max(5).default(1),
  })
  return createToolLibrary([
    defineTool({ name: 'send_note', description: 'Sends a note.', parameters, execute }),
  ])
}

const to = 'ada@example.com'

describe('invokeTool', () => {
  test('runs a tool with checked arguments, and hands its key on', async () => {
    const seen: unknown[] = []
    const tools = library((args, { idempotencyKey }) => {
      seen.push([args, idempotencyKey])
      return { id: 'n-1' }
    })
    const result = await invokeTool(tools, 'sendNote', { to, count: '2' }, { idempotencyKey: 'key' })
    expect(result).toEqual({ ok: true, data: { id: 'n-1' } })
    expect(seen).toEqual([[{ to, count: 2 }, 'key']])
  })

  test.each<[string, string, unknown, string]>([
    ['a value that is missing', 'send_note', {}, 'missing_parameter'],
    ['no arguments at all', 'send_note', undefined, 'missing_parameter'],
    ['a value that does not fit', 'send_note', { to: 'ada' }, 'invalid_value'],
    ['a tool that is not there', 'paint_house', { to }, 'tool_not_found'],
    ['arguments that are no JSON', 'send_note', { to, count: 1n }, 'malformed_arguments'],
  ])('answers %s as data, and runs nothing', async (_, name, args, errorType) => {
    let runs = 0
    const result = await invokeTool(
      library(() => runs++),
      name,
      args,
    )
    expect(result).toMatchObject({ ok: false, errorType, error: expect.stringMatching(/^Question: /) })
    expect(runs).toBe(0)
  })

  test('never rejects for what a tool does', async () => {
    const failing = (cause: unknown) => () => {
      throw cause
    }
    const type = async (execute: () => unknown) => {
      const result = await invokeTool(library(execute), 'send_note', { to })
      return result.ok ? 'ok' : result.errorType
    }
    expect(await type(failing(new Error('Question: Which list?')))).toBe('missing_parameter')
    expect(await type(failing(undefined))).toBe('outcome_unknown')
    expect(await type(() => Promise.reject(new TypeError('x')))).toBe('outcome_unknown')
    expect(await type(() => ({ success: false, error: 'Busy' }))).toBe('execution_error')
    expect(await type(() => z.string().parse(7))).toBe('outcome_unknown')
  })

  test('does not begin once it was called off', async () => {
    let runs = 0
    const result = await invokeTool(
      library(() => runs++),
      'send_note',
      { to },
      { signal: AbortSignal.abort() },
    )
    expect(result).toMatchObject({ ok: false, errorType: 'cancelled' })
    expect(runs).toBe(0)
  })
})
