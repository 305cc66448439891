import { isDeepStrictEqual as same } from 'node:util'
import { prepareToolCall } from '../../shared/engine/calls/prepare-tool-call.ts'
import type { ToolSpecification } from '../../shared/engine/core/tool-specification.ts'
import { validate } from '../../shared/engine/schema/validate.ts'
import type { Call } from './fault-case.ts'
import { type Measurement, readCases, Tally } from './measurement.ts'

interface Item {
  id: string
  tools?: Omit<ToolSpecification, 'effect'>[]
  ground_truth?: Call[][]
}

/** How many calls per item are cut at every character. */
const longestCut = 600
const timedRounds = 60

const changed = 'valid calls rejected or changed'
const completed = 'cut calls that run or get a correction without slots'

/** Reference calls: whole, they must pass unchanged; cut anywhere, they must never run. */
export async function measureValidCalls(dir: string): Promise<Measurement[]> {
  const tally = new Tally()
  const calls: { tools: ToolSpecification[]; call: Call }[] = []
  for (const item of await readCases<Item>(dir, 'bfcl')) {
    const tools = (item.tools ?? []).map((tool) => ({ ...tool, effect: 'write' as const }))
    for (const call of (item.ground_truth ?? []).flat()) {
      const tool = tools.find((one) => one.name === call.name)
      // A reference call that its own schema refuses is a fault of the corpus.
      if (tool && validate(tool.parameters, call.arguments).length === 0) calls.push({ tools, call })
    }
  }
  for (const { tools, call } of calls) {
    const rawArguments = JSON.stringify(call.arguments)
    const prepared = prepareToolCall({ name: call.name, rawArguments, tools })
    const label = `${call.name} ${rawArguments.slice(0, 120)}`
    tally.add(
      changed,
      prepared.ok && prepared.repairs.length === 0 && same(prepared.args, call.arguments),
      label,
    )
    if (rawArguments.length <= longestCut) measureCuts(tools, call, rawArguments, tally)
  }
  return [tally.failures(changed), tally.failures(completed), measureSpeed(calls)].map((measurement) => ({
    ...measurement,
    name: `bfcl: ${measurement.name}`,
  }))
}

function measureCuts(tools: ToolSpecification[], call: Call, rawArguments: string, tally: Tally): void {
  for (let length = 1; length < rawArguments.length; length++) {
    const cut = rawArguments.slice(0, length)
    const prepared = prepareToolCall({ name: call.name, rawArguments: cut, tools })
    const closed = !prepared.ok && prepared.error.details.correction?.open.length === 0
    tally.add(completed, !prepared.ok && !closed, `${call.name} ${cut.slice(-80)}`)
  }
}

function measureSpeed(calls: { tools: ToolSpecification[]; call: Call }[]): Measurement {
  const texts = calls.map(({ tools, call }) => ({
    tools,
    name: call.name,
    rawArguments: JSON.stringify(call.arguments),
  }))
  const times: number[] = []
  for (let round = 0; round < timedRounds; round++) {
    for (const text of texts) {
      const start = performance.now()
      prepareToolCall(text)
      times.push((performance.now() - start) * 1000)
    }
  }
  const warm = times.slice(times.length / 2).sort((a, b) => a - b)
  const median = warm[Math.floor(warm.length / 2)] ?? Number.NaN
  return {
    name: 'a valid call is prepared in (p50)',
    goal: '< 20 µs',
    value: `${median.toFixed(1)} µs`,
    hits: median < 20 ? 1 : 0,
    total: 1,
  }
}
