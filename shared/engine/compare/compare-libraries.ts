import type { ToolLibrary } from '../core/tool-specification.ts'
import type { AgentResponse } from '../loop/agent-response.ts'
import { runAgent } from '../loop/run-agent.ts'
import type { RunAgentOptions } from '../loop/run-options.ts'
import type { Agent } from '../tools/agent.ts'

export interface Comparison
  extends Pick<RunAgentOptions, 'model' | 'context' | 'limits' | 'stream' | 'signal'> {
  agent: Agent
  /** One run per input and library. */
  inputs: readonly string[]
  a: ToolLibrary
  b: ToolLibrary
  /** What counts as a success; by default a run that completed without a failed tool call left open. */
  isSuccess?: (response: AgentResponse, input: string) => boolean
}

/** A share or mean with its 95 % interval. */
export interface Estimate {
  value: number
  low: number
  high: number
}

export interface LibraryFigures {
  /** Share of inputs that succeeded; Wilson interval, which holds for few inputs too. */
  successRate: Estimate
  /** Tool executions and refusals per run. */
  attempts: Estimate
  /** Input and output tokens per run. */
  tokens: Estimate
  /** Milliseconds per run. */
  latencyMs: Estimate
}

export interface ComparisonResult {
  a: LibraryFigures
  b: LibraryFigures
  /** `b` minus `a`, input by input: an interval that does not hold 0 is a difference. */
  difference: Record<keyof LibraryFigures, Estimate>
  runs: { input: string; a: AgentResponse; b: AgentResponse }[]
}

interface Sample {
  successRate: number
  attempts: number
  tokens: number
  latencyMs: number
}

const figures = ['successRate', 'attempts', 'tokens', 'latencyMs'] as const

/**
 * Runs the same agent on the same inputs with two implementations of its tools and says how they differ. The
 * library that goes first alternates, so that a warm connection favours neither. Rejects as `runAgent` does,
 * and where there is no input.
 *
 * @example
 * const usage = { inputTokens: 9, outputTokens: 2 }
 * const reply = { text: 'Hello.', toolCalls: [], finishReason: 'stop', hasChoice: true, usage, provider: 'p', model: 'm' }
 * const model = { model: 'm', models: ['m'], complete: async () => reply } // or createModelClient(…)
 * const agent = { name: 'Mira', instructions: 'Help the user.', tools: [] }
 * const library = createToolLibrary([])
 * const { b, difference } = await compareLibraries({ agent, inputs: ['Hi', 'Hello'], a: library, b: library, model })
 * b.successRate.value // => 1
 * difference.tokens // => { value: 0, low: 0, high: 0 }
 */
export async function compareLibraries({
  inputs,
  a,
  b,
  isSuccess = isCompleted,
  ...options
}: Comparison): Promise<ComparisonResult> {
  if (inputs.length === 0) throw new RangeError('compareLibraries was given no inputs: give it at least one.')
  const samples: Record<'a' | 'b', Sample[]> = { a: [], b: [] }
  const runs: ComparisonResult['runs'] = []
  for (const [index, input] of inputs.entries()) {
    const measure = async (side: 'a' | 'b') => {
      const start = performance.now()
      const response = await runAgent({ ...options, input, library: side === 'a' ? a : b })
      samples[side].push({
        successRate: isSuccess(response, input) ? 1 : 0,
        attempts: response.toolsUsed.length,
        tokens: response.usage.inputTokens + response.usage.outputTokens,
        latencyMs: performance.now() - start,
      })
      return response
    }
    const first = await measure(index % 2 === 0 ? 'a' : 'b')
    const second = await measure(index % 2 === 0 ? 'b' : 'a')
    runs.push(index % 2 === 0 ? { input, a: first, b: second } : { input, a: second, b: first })
  }
  return {
    a: describe(samples.a),
    b: describe(samples.b),
    difference: Object.fromEntries(
      figures.map((figure) => [
        figure,
        mean(samples.b.map((sample, index) => sample[figure] - (samples.a[index]?.[figure] ?? 0))),
      ]),
    ) as ComparisonResult['difference'],
    runs,
  }
}

/** Completed, and the last use of each tool worked: a refusal that was corrected is no failure. */
function isCompleted(response: AgentResponse): boolean {
  const last = new Map(response.toolsUsed.map((use) => [use.toolName, use.ok]))
  return response.status === 'completed' && [...last.values()].every(Boolean)
}

function describe(samples: readonly Sample[]): LibraryFigures {
  const of = (figure: keyof Sample) => samples.map((sample) => sample[figure])
  return {
    successRate: share(of('successRate')),
    attempts: mean(of('attempts')),
    tokens: mean(of('tokens')),
    latencyMs: mean(of('latencyMs')),
  }
}

/** 97.5 % quantile of the normal distribution. */
const z = 1.959964

/** Wilson score interval of a share. */
function share(outcomes: readonly number[]): Estimate {
  const n = outcomes.length
  const value = outcomes.reduce((sum, outcome) => sum + outcome, 0) / n
  const centre = (value + (z * z) / (2 * n)) / (1 + (z * z) / n)
  const half = (z / (1 + (z * z) / n)) * Math.sqrt((value * (1 - value)) / n + (z * z) / (4 * n * n))
  return { value, low: Math.max(0, centre - half), high: Math.min(1, centre + half) }
}

/** 97.5 % quantiles of Student's t for 1 to 30 degrees of freedom; beyond, the normal one is close enough. */
const t = [
  12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.16, 2.145, 2.131,
  2.12, 2.11, 2.101, 2.093, 2.086, 2.08, 2.074, 2.069, 2.064, 2.06, 2.056, 2.052, 2.048, 2.045, 2.042,
]

/** Student's t interval of a mean; of a single value nothing is known, so it is unbounded. */
function mean(values: readonly number[]): Estimate {
  const n = values.length
  const value = values.reduce((sum, one) => sum + one, 0) / n
  if (n < 2) return { value, low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY }
  const variance = values.reduce((sum, one) => sum + (one - value) ** 2, 0) / (n - 1)
  const half = (t[n - 2] ?? z) * Math.sqrt(variance / n)
  return { value, low: value - half, high: value + half }
}
