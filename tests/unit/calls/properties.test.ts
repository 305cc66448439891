import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { prepareToolCall } from '../../../shared/engine/calls/prepare-tool-call.ts'
import type { PreparedCall } from '../../../shared/engine/calls/prepared-call.ts'
import { parsePath, valueAt } from '../../../shared/engine/core/json-path.ts'
import type { ToolSpecification } from '../../../shared/engine/core/tool-specification.ts'
import { validate } from '../../../shared/engine/schema/validate.ts'
import { spoiled, toolCall } from './tool-calls.ts'

const runs = { numRuns: 200 }

/** What holds for every answer: what runs is valid, what is proposed is either valid or open in real places. */
function checkAnswer(tool: ToolSpecification, prepared: PreparedCall): void {
  if (prepared.ok) {
    expect(validate(tool.parameters, prepared.args)).toEqual([])
    return
  }
  const { error } = prepared
  expect(error.error).toMatch(/^Question: \S/)
  expect(error.details.problems?.length).toBeGreaterThan(0)
  if (error.details.example !== undefined)
    expect(validate(tool.parameters, error.details.example)).toEqual([])
  const { correction } = error.details
  if (!correction) return
  for (const open of correction.open) {
    const path = parsePath(open)
    expect(path, open).toBeDefined()
    expect(valueAt(correction.arguments, path ?? []), open).toMatch(/^<[^<>]*>$/s)
  }
  if (correction.open.length === 0) expect(validate(tool.parameters, correction.arguments)).toEqual([])
}

// Hundreds of made-up tools take their time on a busy machine.
describe('for any tool', { timeout: 120_000 }, () => {
  test('a valid call passes unchanged', () => {
    fc.assert(
      fc.property(toolCall, ({ tool, args }) => {
        fc.pre(validate(tool.parameters, args).length === 0)
        const prepared = prepareToolCall({
          name: tool.name,
          rawArguments: JSON.stringify(args),
          tools: [tool],
        })
        expect(prepared).toEqual({ ok: true, tool, args: JSON.parse(JSON.stringify(args)), repairs: [] })
      }),
      runs,
    )
  })

  test('a spoiled call is repaired to a valid one or answered with what to send', () => {
    fc.assert(
      fc.property(
        toolCall.chain(({ tool, args }) => spoiled(args).map((wrong) => ({ tool, wrong }))),
        ({ tool, wrong }) => {
          const rawArguments = JSON.stringify(wrong)
          checkAnswer(tool, prepareToolCall({ name: tool.name, rawArguments, tools: [tool] }))
        },
      ),
      { numRuns: 500 },
    )
  })

  test('any text is answered', () => {
    fc.assert(
      fc.property(
        toolCall,
        fc.oneof(fc.string(), fc.json(), fc.string({ unit: 'binary' })),
        (call, rawArguments) => {
          checkAnswer(call.tool, prepareToolCall({ name: call.tool.name, rawArguments, tools: [call.tool] }))
        },
      ),
      runs,
    )
  })

  test('any name of a tool is answered', () => {
    fc.assert(
      fc.property(toolCall, fc.string({ unit: 'binary' }), (call, name) => {
        const prepared = prepareToolCall({
          name,
          rawArguments: JSON.stringify(call.args),
          tools: [call.tool],
        })
        if (prepared.ok) expect(prepared.tool).toBe(call.tool)
        else expect(prepared.error.error).toMatch(/^Question: /)
      }),
      runs,
    )
  })

  test('a call that was cut anywhere neither runs nor gets a correction without slots', () => {
    fc.assert(
      fc.property(toolCall, fc.nat(), ({ tool, args }, at) => {
        fc.pre(Object.keys(args).length > 0)
        const whole = JSON.stringify(args)
        // Nothing at all is not a cut: some gateways leave out `{}`.
        const rawArguments = whole.slice(0, 1 + (at % (whole.length - 1)))
        const prepared = prepareToolCall({ name: tool.name, rawArguments, tools: [tool] })
        expect(prepared.ok).toBe(false)
        if (!prepared.ok) expect(prepared.error.details.correction?.open.length).not.toBe(0)
        checkAnswer(tool, prepared)
      }),
      runs,
    )
  })
})
