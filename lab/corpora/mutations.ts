import { isDeepStrictEqual as same } from 'node:util'
import { prepareToolCall } from '../../shared/engine/calls/prepare-tool-call.ts'
import type { ToolSpecification } from '../../shared/engine/core/tool-specification.ts'
import { validate } from '../../shared/engine/schema/validate.ts'
import { seededFractions } from '../../support/seeded-random.ts'
import { type Call, fillSlots } from './fault-case.ts'
import { type Measurement, readCases, Tally } from './measurement.ts'
import { type Mutation, mutateCall } from './mutate-call.ts'

interface Item {
  tools?: Omit<ToolSpecification, 'effect'>[]
  ground_truth?: Call[][]
}

const repaired = 'lossless faults repaired exactly'
const harmful = 'harmful repairs'
const filled = 'corrections with slots filled from the truth are the true call'
const closed = 'corrections without slots are the true call'
const restored = 'restorable faults with a right correction without slots'
const suggested = 'right name or value suggested'

/** Reference calls with faults from our own generator, which differ from those of the labelled corpus. */
export async function measureMutations(dir: string): Promise<Measurement[]> {
  const tally = new Tally()
  const random = seededFractions(7)
  for (const item of await readCases<Item>(dir, 'bfcl')) {
    for (const call of (item.ground_truth ?? []).flat()) {
      const tools = (item.tools ?? []).map((tool) => closeSchema({ ...tool, effect: 'write' }))
      const tool = tools.find((one) => one.name === call.name)
      if (!tool || validate(tool.parameters, call.arguments).length > 0) continue
      for (const mutation of mutateCall(tool, call, random)) measureMutation(tools, call, mutation, tally)
    }
  }
  return [
    tally.share(repaired, '>= 98 %'),
    tally.failures(harmful),
    tally.share(filled, '>= 95 %'),
    tally.share(closed, '>= 97 %'),
    tally.share(restored, '>= 80 %'),
    tally.share(suggested, '>= 80 %'),
  ].map((measurement) => ({ ...measurement, name: `mutations: ${measurement.name}` }))
}

function closeSchema(tool: ToolSpecification): ToolSpecification {
  return { ...tool, parameters: { ...tool.parameters, additionalProperties: false } }
}

function measureMutation(tools: ToolSpecification[], truth: Call, mutation: Mutation, tally: Tally): void {
  const { name, rawArguments } = mutation
  const prepared = prepareToolCall({ name, rawArguments, tools })
  const correction = prepared.ok ? undefined : prepared.error.details.correction
  const label = `${mutation.kind}: ${name} ${rawArguments.slice(0, 140)} -> ${JSON.stringify(correction ?? (prepared.ok && prepared.args)).slice(0, 140)}`
  const right = prepared.ok && prepared.tool.name === truth.name && same(prepared.args, truth.arguments)
  if (mutation.lossless) tally.add(repaired, right, label)
  tally.add(harmful, !prepared.ok || right, label)
  if (prepared.ok) return
  const isTrue =
    !!correction && correction.name === truth.name && same(fillSlots(correction, truth), truth.arguments)
  tally.add(filled, isTrue, label)
  if (correction?.open.length === 0) tally.add(closed, isTrue, label)
  if (mutation.restorable) tally.add(restored, isTrue && correction?.open.length === 0, label)
  if (mutation.suggestion !== undefined) {
    const problems = prepared.error.details.problems ?? []
    tally.add(
      suggested,
      problems.some((problem) => problem.suggestion === mutation.suggestion),
      label,
    )
  }
}
