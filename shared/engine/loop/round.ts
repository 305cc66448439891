import { toolError } from '../core/tool-error.ts'
import type { Asked } from './ask-model.ts'
import { inParallel } from './in-parallel.ts'
import { nudgeModel } from './nudges.ts'
import { prepareCalls } from './prepare-calls.ts'
import type { Outcome, RoundCall } from './round-call.ts'
import type { Run } from './run.ts'
import { runCall } from './run-call.ts'
import { settleCalls } from './settle-calls.ts'
import { beginUse, endUse } from './tool-uses.ts'
import { assistantCalls } from './transcript.ts'

/** A model may ask for hundreds of calls at once; more at a time would only keep each other waiting. */
const callsAtOnce = 8

/** Runs the calls of one reply: reads first, then writes, each group in parallel; then notes how they ended. */
export async function runRound(run: Run, { reply, toolCallIds }: Asked): Promise<void> {
  const calls = prepareCalls(run, reply, toolCallIds)
  const { conversation } = run.memory
  conversation.push(assistantCalls(reply.text, calls))
  const results = conversation.length
  await runCalls(run, calls)
  const texts = conversation.slice(results).map(({ content }) => content)
  noticeRepetition(run, calls.map(({ key }) => key).join('\n'), texts.join('\n'))
}

/** The same calls with the same results as in an earlier round lead nowhere. */
function noticeRepetition(run: Run, calls: string, results: string): void {
  if (run.pastRounds.get(calls) === results) nudgeModel(run, 'repetition')
  run.pastRounds.set(calls, results)
}

/** Also for the calls that a decision lets go on. */
export async function runCalls(run: Run, calls: readonly RoundCall[]): Promise<void> {
  for (const { toolCallId, toolName, input, attempt, repairs } of calls) {
    run.emit({ type: 'tool-call', toolCallId, toolName, input, attempt, repairs })
  }
  const outcomes = new Map<RoundCall, Outcome>()
  const reads = calls.filter((call) => call.effect === 'read')
  const writes = calls.filter((call) => call.effect === 'write')
  if (reads.length > 0)
    await inParallel(reads, callsAtOnce, async (call) => outcomes.set(call, await follow(run, call, runCall)))
  const failedRead = reads.find((call) => outcomes.get(call)?.status !== 'succeeded')
  if (failedRead && !run.stopping.signal.aborted) {
    for (const call of writes) outcomes.set(call, await follow(run, call, () => heldBack(failedRead)))
  } else if (writes.length > 0) {
    const once = runOnce()
    await inParallel(writes, callsAtOnce, async (call) => outcomes.set(call, await follow(run, call, once)))
  }
  settleCalls(run, calls, outcomes)
  // The model insists on what it was told to be impossible: it answers now.
  if (calls.every((call) => call.args && outcomes.get(call)?.status === 'rejected'))
    run.lastAnswer = 'completed'
}

/** Shows a call as begun and as ended around the step that decides it. */
async function follow(
  run: Run,
  call: RoundCall,
  step: (run: Run, call: RoundCall) => Outcome | Promise<Outcome>,
): Promise<Outcome> {
  const use = beginUse(run, call)
  let outcome: Outcome
  try {
    outcome = await step(run, call)
  } catch {
    outcome = ownFault()
  }
  endUse(run, call, use, outcome)
  return outcome
}

/** A fault of ours in front of a call must not take its siblings with it. */
function ownFault(): Outcome {
  const sentence = 'Not carried out, because of an error inside the program.'
  return { status: 'cancelled', result: toolError('execution_error', sentence) }
}

/** Identical writes of one round run once: the others share the first one's outcome. */
function runOnce() {
  const running = new Map<RoundCall, Outcome | Promise<Outcome>>()
  return (run: Run, call: RoundCall): Outcome | Promise<Outcome> => {
    const original = call.duplicateOf && running.get(call.duplicateOf)
    if (original) return original
    const outcome = runCall(run, call)
    running.set(call, outcome)
    return outcome
  }
}

function heldBack(read: RoundCall): Outcome {
  const sentence = `Not carried out, because ${read.toolName} of the same answer failed and this may depend on it.`
  return { status: 'cancelled', result: toolError('cancelled', sentence, { resolver: 'model' }) }
}
