import type { ClientCall } from '../transcript/entry.ts'
import { isForWords } from '../transcript/error-consequence.ts'
import { askPeople } from './consent/ask-people.ts'
import { makeDecidedCalls } from './consent/decided-calls.ts'
import {
  completeRun,
  endClientCall,
  endWaiting,
  endWithLastWords,
  endWithNothing,
  failRun,
  stopRun,
} from './ending/end-run.ts'
import { endOnFailure } from './ending/model-failure.ts'
import { endForBudget } from './ending/out-of-budget.ts'
import { endForTime, isOutOfTime } from './ending/out-of-time.ts'
import { withStop } from './ending/stop-run.ts'
import { runRound } from './round/round.ts'
import type { AgentResponse } from './run/agent-response.ts'
import { isOutOfTokens, isUsedUp, replyLimit, spentIntents } from './run/limits.ts'
import { append, openOfTurn, type Run } from './run/run.ts'
import { askModel } from './step/ask-model.ts'
import { makeClientCall } from './step/make-client-call.ts'
import { findStall, isOutOfModels, pollsInVain } from './step/nudges.ts'

/** Takes a run from wherever its transcript stands to its end, or to somebody who must be asked. */
export function walk(run: Run, signal: AbortSignal | undefined): Promise<AgentResponse> {
  return withStop(run, signal, async () => {
    try {
      for (;;) {
        const response = await goOn(run)
        if (response) return response
      }
    } catch (cause) {
      return endOnFailure(run, cause)
    }
  })
}

/** Does the next thing, according to the transcript: asks the model, runs its calls, or ends the run with a response. */
async function goOn(run: Run): Promise<AgentResponse | undefined> {
  const { state } = run
  if (state.decidedCalls.length > 0) return makeDecidedCalls(run)
  if (!state.isRoundOver) return runRound(run)
  if (run.stopping.signal.aborted) return stopRun(run)
  askPeople(run)
  if (openOfTurn(run).length > 0) return endWaiting(run)
  if (state.clientCall && state.clientCall.message === undefined) return relayCall(run, state.clientCall)
  if (state.reply) return judgeReply(run, state.reply)
  if (isOutOfTime(run)) return endForTime(run)
  if (state.isRepetition) append(run, { type: 'nudge', stall: 'repetition' })
  const last = lastReplyStatus(run)
  if (last && isOutOfTokens(run)) return failRun(run, { code: 'out_of_tokens' })
  const overBudget = await endForBudget(run)
  if (overBudget) return overBudget
  await askModel(run, last)
  return undefined
}

/** A call of a program is made once, and the run ends with its result: no model is asked. */
function relayCall(run: Run, called: ClientCall): Promise<AgentResponse> | undefined {
  return run.state.round.length > 0 ? endClientCall(run) : makeClientCall(run, called)
}

/** How the run ends after the next reply, if the model may call no more tools; undefined if it may. */
function lastReplyStatus(run: Run): 'completed' | 'failed' | undefined {
  // What it waits for is no fault of anybody: the user hears where it stands, and can ask again.
  if (pollsInVain(run)) return 'completed'
  if (isUsedUp(run) || isOutOfModels(run)) return 'failed'
  const lastErrors = spentIntents(run).flatMap(({ errors }) => errors.slice(-1))
  if (lastErrors.length > 0) return lastErrors.every(isForWords) ? 'completed' : 'failed'
  // The model insists on calls that were refused: its next reply is the last one.
  const { round } = run.state
  const insists =
    round.length > 0 &&
    round.every(
      ({ call, key, result }) =>
        result?.status === 'rejected' && (call.prepared || run.state.settled.has(key)),
    )
  return insists ? 'completed' : undefined
}

/** The model replied in words: the run ends with them, unless they lead nowhere. */
async function judgeReply(
  run: Run,
  { text, finishReason, last }: NonNullable<Run['state']['reply']>,
): Promise<AgentResponse | undefined> {
  const isCutForCaller = finishReason === 'length' && replyLimit(run).isCallers
  const stall = isCutForCaller ? undefined : findStall(text, finishReason)
  if (isCutForCaller && text.trim() === '') return endWithNothing(run, last ?? 'completed')
  if (last) return endWithLastWords(run, last, stall === undefined)
  if (!stall) return completeRun(run)
  append(run, { type: 'nudge', stall })
  return undefined
}
