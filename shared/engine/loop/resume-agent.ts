import { AgentError } from '../core/agent-error.ts'
import type { ToolSpecification } from '../core/tool-specification.ts'
import { projectAnswer } from '../transcript/answer.ts'
import type { QuestionEntry } from '../transcript/entry.ts'
import { foldLoop } from '../transcript/fold-loop.ts'
import type { LoopState } from '../transcript/loop-state.ts'
import { acceptDecisions, fitDecisions } from './consent/decisions.ts'
import type { AgentResponse } from './run/agent-response.ts'
import type { ResumeAgentOptions } from './run/run-options.ts'
import { findAgent, startRun } from './run/start-run.ts'
import { walk } from './walk.ts'

/**
 * Continues a transcript from wherever it ends. After a question: with the user's `answer` to a form, `approval` of a
 * call, a new `connection`, `skip`, or, with none of them, because its time has come; the waiting call continues exactly
 * as it was shown, and without a decision that fits, the response is the same again. After a user message: with that
 * turn. Anywhere else, because a process died: whatever has no result is done again (reads, the model's words) or
 * answered by the ledger (writes). Rejects like `runAgent`.
 *
 * @example
 * const ping = defineTool({ name: 'ping', description: 'Pings.', parameters: {}, approval: 'always', execute: () => 'pong' })
 * const about = { finishReason: 'stop', hasChoice: true, usage: { inputTokens: 9, outputTokens: 2 }, provider: 'p', model: 'm' }
 * const replies = [{ text: '', toolCalls: [{ name: 'ping', rawArguments: '{}' }] }, { text: 'Done.', toolCalls: [] }]
 * const model = { model: 'm', models: ['m'], complete: async () => ({ ...about, ...replies.shift() }) }
 * const agent = { name: 'Mira', instructions: 'Help the user.', tools: [ping.specification] }
 * const settings = { library: createToolLibrary([ping]), model }
 * const waiting = await runAgent({ agent, input: 'Ping it.', ...settings })
 * waiting.status // => 'needs_approval'
 * const [{ toolCallId, approvalId }] = waiting.pending
 * const approval = { toolCallId, approvalId, decision: 'approve' }
 * const response = await resumeAgent({ transcript: waiting.transcript, approval, ...settings })
 * response.toolsUsed[0].output // => 'pong'
 */
export async function resumeAgent(options: ResumeAgentOptions): Promise<AgentResponse> {
  const { transcript, agent } = options
  const tools = new Map((agent ?? findAgent(transcript))?.tools.map((tool) => [tool.name, tool]))
  const unasked = options.unasked ?? []
  const state = readState(transcript, unasked, tools)
  requireApprovalIds(options)
  const decisions = fitDecisions(state, options)
  if (state.lastEnd && !state.isRunning && decisions.length === 0) {
    return { ...projectAnswer([...transcript, ...unasked], tools), messages: [], transcript: [] }
  }
  const run = startRun(transcript, unasked, options, agent)
  await acceptDecisions(run, decisions, options)
  return walk(run, options.signal)
}

/** A yes that does not name its question would apply to whatever is being asked by now. */
function requireApprovalIds({ approval = [] }: ResumeAgentOptions): void {
  if ([approval].flat().every(({ approvalId }) => typeof approvalId === 'string')) return
  throw new AgentError('validation', 'An approval has no "approvalId". Pass the one of the pending question.')
}

function readState(
  transcript: unknown,
  unasked: readonly QuestionEntry[],
  tools: ReadonlyMap<string, ToolSpecification>,
): LoopState {
  const isList = Array.isArray(transcript) && transcript.every((entry) => typeof entry?.type === 'string')
  try {
    const state = foldLoop(isList ? [...transcript, ...unasked] : [], tools)
    if (state.turnStart >= 0) return state
  } catch {}
  throw new AgentError(
    'validation',
    'This is not a transcript to continue from. Pass the entries of AgentResponse.transcript, all of them, unchanged.',
  )
}
