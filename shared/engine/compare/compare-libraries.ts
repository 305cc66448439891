import type { ToolLibrary } from '../core/tool-specification.ts'
import type { AgentResponse } from '../loop/run/agent-response.ts'
import type { RunAgentOptions } from '../loop/run/run-options.ts'
import { runAgent } from '../loop/run-agent.ts'
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

/** The figures of one run, or the mean of several. */
export interface LibraryFigures {
  /** 1 or 0 for a run, the share for several. */
  successRate: number
  /** Tool executions and refusals. */
  attempts: number
  /** Input and output tokens. */
  tokens: number
  latencyMs: number
}

interface MeasuredRun extends LibraryFigures {
  response: AgentResponse
}

export interface ComparisonResult {
  a: LibraryFigures
  b: LibraryFigures
  runs: { input: string; a: MeasuredRun; b: MeasuredRun }[]
}

/**
 * Runs the same agent on the same inputs with two implementations of its tools. Returns the mean of each, and the figures
 * of every run, for statistics of your own. The library that goes first alternates, so that a warm connection favours
 * neither. Rejects like `runAgent`, and if there are no inputs.
 *
 * @example
 * const usage = { inputTokens: 9, outputTokens: 2 }
 * const reply = { text: 'Hello.', toolCalls: [], finishReason: 'stop', hasChoice: true, usage, provider: 'p', model: 'm' }
 * const model = { model: 'm', models: ['m'], complete: async () => reply } // or createModelClient(…)
 * const agent = { name: 'Mira', instructions: 'Help the user.', tools: [] }
 * const library = createToolLibrary([])
 * const { b, runs } = await compareLibraries({ agent, inputs: ['Hi', 'Hello'], a: library, b: library, model })
 * b.successRate // => 1
 * runs.map(({ a }) => a.tokens) // => [11, 11]
 */
export async function compareLibraries({
  inputs,
  a,
  b,
  isSuccess = isCompleted,
  ...options
}: Comparison): Promise<ComparisonResult> {
  if (inputs.length === 0) throw new RangeError('compareLibraries was given no inputs: give it at least one.')
  const measure = async (input: string, library: ToolLibrary): Promise<MeasuredRun> => {
    const start = performance.now()
    const response = await runAgent({ ...options, input, library })
    return {
      response,
      successRate: isSuccess(response, input) ? 1 : 0,
      attempts: response.toolsUsed.length,
      tokens: response.usage.inputTokens + response.usage.outputTokens,
      latencyMs: performance.now() - start,
    }
  }
  const runs: ComparisonResult['runs'] = []
  for (const [index, input] of inputs.entries()) {
    const isFirst = index % 2 === 0
    const first = await measure(input, isFirst ? a : b)
    const second = await measure(input, isFirst ? b : a)
    runs.push(isFirst ? { input, a: first, b: second } : { input, a: second, b: first })
  }
  return { a: meanOf(runs.map((run) => run.a)), b: meanOf(runs.map((run) => run.b)), runs }
}

/** Completed, and the last use of each tool worked: a corrected refusal is not a failure. */
function isCompleted(response: AgentResponse): boolean {
  const last = new Map(response.toolsUsed.map((use) => [use.toolName, use.ok]))
  return response.status === 'completed' && [...last.values()].every(Boolean)
}

function meanOf(runs: readonly LibraryFigures[]): LibraryFigures {
  const mean = (figure: keyof LibraryFigures) => runs.reduce((sum, run) => sum + run[figure], 0) / runs.length
  return {
    successRate: mean('successRate'),
    attempts: mean('attempts'),
    tokens: mean('tokens'),
    latencyMs: mean('latencyMs'),
  }
}
