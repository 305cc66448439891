import { AgentError } from '../core/agent-error.ts'
import { isEmptyContent } from '../transcript/user-content.ts'
import type { AgentResponse } from './run/agent-response.ts'
import type { RunAgentOptions } from './run/run-options.ts'
import { startRun } from './run/start-run.ts'
import { walk } from './walk.ts'

/**
 * Runs one turn: model, tool calls, results, model … until the model answers or the run waits for somebody.
 * Rejects with `AgentError` only if nothing has happened yet; every other failure is a response.
 *
 * @example
 * const usage = { inputTokens: 9, outputTokens: 2 }
 * const reply = { text: 'Hello.', toolCalls: [], finishReason: 'stop', hasChoice: true, usage, provider: 'p', model: 'm' }
 * const model = { model: 'm', models: ['m'], complete: async () => reply } // or createModelClient(…)
 * const agent = { name: 'Mira', instructions: 'Help the user.', tools: [] }
 * const response = await runAgent({ agent, input: 'Hi', library: createToolLibrary([]), model })
 * response.status // => 'completed'
 * response.text // => 'Hello.'
 * response.transcript.map(({ type }) => type) // => ['user-message', 'run-start', 'step-start', 'model-text', 'step-end', 'run-end']
 */
export async function runAgent(options: RunAgentOptions): Promise<AgentResponse> {
  const { agent, input, transcript = [], messages = [] } = options
  if (isEmptyContent(input))
    throw new AgentError('validation', 'The input is empty. Pass what the user said.')
  const earlier = messages.length > 0 ? { earlier: messages } : {}
  const run = startRun(transcript, [{ type: 'user-message', content: input, ...earlier }], options, agent)
  return walk(run, options.signal)
}
