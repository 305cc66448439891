import type { AgentResponse } from './agent-response.ts'
import { askModel } from './ask-model.ts'
import { answerRun, parkRun } from './end-run.ts'
import { giveLastAnswer } from './last-answer.ts'
import { isUsedUp } from './limits.ts'
import { endOnFailure } from './model-failure.ts'
import { nudgeModel, stallOf } from './nudges.ts'
import { runRound } from './round.ts'
import type { Run } from './run.ts'
import type { RunAgentOptions } from './run-options.ts'
import { createMemory, createRun } from './start-run.ts'
import { stopRun, withStop } from './stop-run.ts'
import { endForTime, isOutOfTime } from './time-budget.ts'

/**
 * Runs one turn: model, tool calls, results, model … until the model answers or the run waits for somebody.
 * Rejects with `AgentError` only where nothing has happened yet; every other failure is a response.
 *
 * @example
 * const usage = { inputTokens: 9, outputTokens: 2 }
 * const reply = { text: 'Hello.', toolCalls: [], finishReason: 'stop', hasChoice: true, usage, provider: 'p', model: 'm' }
 * const model = { model: 'm', models: ['m'], complete: async () => reply } // or createModelClient(…)
 * const agent = { name: 'Mira', instructions: 'Help the user.', tools: [] }
 * const response = await runAgent({ agent, input: 'Hi', library: createToolLibrary([]), model })
 * response.status // => 'completed'
 * response.text // => 'Hello.'
 */
export async function runAgent(options: RunAgentOptions): Promise<AgentResponse> {
  const run = createRun(createMemory(options), options)
  return withStop(run, options.signal, () => walk(run))
}

/** The walk of a run from wherever its conversation stands; `resumeAgent` begins it with what was decided. */
export async function walk(run: Run, begin = async () => {}): Promise<AgentResponse> {
  try {
    await begin()
    for (;;) {
      if (run.stopping.signal.aborted) return stopRun(run)
      if (run.memory.parked.length > 0) return parkRun(run)
      if (isOutOfTime(run)) return endForTime(run)
      if (isUsedUp(run)) return await giveLastAnswer(run, 'failed')
      if (run.lastAnswer) return await giveLastAnswer(run, run.lastAnswer)
      run.memory.rounds++
      run.emit({ type: 'round-start', round: run.memory.rounds })
      const asked = await askModel(run)
      const stall = stallOf(asked.reply)
      if (stall) nudgeModel(run, stall, asked.reply.text)
      else if (asked.reply.toolCalls.length === 0) return answerRun(run, asked.reply.text)
      else await runRound(run, asked)
    }
  } catch (cause) {
    return endOnFailure(run, cause)
  }
}
