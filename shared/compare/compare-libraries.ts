import type { Agent, AgentResponse } from '../loop/agent-response.ts'
import { type Clock, systemClock } from '../loop/clock.ts'
import { runAgent } from '../loop/run-agent.ts'
import type { ModelClient } from '../models/model-client.ts'
import type { ToolLibrary } from '../tools/tool-specification.ts'
import { type Interval, meanInterval, shareInterval } from './interval.ts'

export interface ComparisonOptions {
  agent: Agent
  /** What users say; each is run once with either library. */
  inputs: readonly string[]
  a: ToolLibrary
  b: ToolLibrary
  model: ModelClient
  /** @internal Time. */
  clock?: Clock
}

export interface LibraryMeasurement {
  runs: number
  /** Share of runs that completed and whose last call of each tool succeeded. */
  successRate: Interval
  /** Attempts of the calls that succeeded; NaN when none did. */
  attempts: Interval
  /** Tokens per run, in and out. */
  tokens: Interval
  latencyMs: Interval
}

/**
 * Runs the same inputs with two tool libraries, by turns so that a slow minute hits both, and measures each with
 * 95 % intervals. Rejects with `AgentError` when a library does not fit the agent.
 *
 * @example
 * const { a, b } = await compareLibraries({ agent, inputs: ['Mail Ada about the meeting'], a: plain, b: verbose, model })
 * b.successRate.low > a.successRate.high // b is better
 */
export async function compareLibraries(
  options: ComparisonOptions,
): Promise<{ a: LibraryMeasurement; b: LibraryMeasurement }> {
  const { agent, inputs, a, b, model, clock = systemClock } = options
  const measured = { a: [] as MeasuredRun[], b: [] as MeasuredRun[] }
  const run = async (input: string, library: ToolLibrary): Promise<MeasuredRun> => {
    const started = clock.now()
    const response = await runAgent({ agent, input, library, model, clock })
    return { response, latencyMs: clock.now() - started }
  }
  for (const [index, input] of inputs.entries()) {
    const turns = index % 2 === 0 ? (['a', 'b'] as const) : (['b', 'a'] as const)
    for (const side of turns) measured[side].push(await run(input, side === 'a' ? a : b))
  }
  return { a: summarize(measured.a), b: summarize(measured.b) }
}

interface MeasuredRun {
  response: AgentResponse
  latencyMs: number
}

function summarize(runs: readonly MeasuredRun[]): LibraryMeasurement {
  const responses = runs.map(({ response }) => response)
  const attempts = responses.flatMap(({ toolsUsed }) =>
    toolsUsed.flatMap(({ ok, attempt }) => (ok ? [attempt] : [])),
  )
  return {
    runs: runs.length,
    successRate: shareInterval(responses.filter(isSuccess).length, runs.length),
    attempts: meanInterval(attempts),
    tokens: meanInterval(responses.map(({ usage }) => usage.inputTokens + usage.outputTokens)),
    latencyMs: meanInterval(runs.map(({ latencyMs }) => latencyMs)),
  }
}

function isSuccess({ status, toolsUsed }: AgentResponse): boolean {
  const last = new Map(toolsUsed.map(({ toolName, ok }) => [toolName, ok]))
  return status === 'completed' && [...last.values()].every((ok) => ok)
}
