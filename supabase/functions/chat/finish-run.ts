import { argumentHash } from '../../../shared/engine/core/canonical-json.ts'
import { DatabaseError } from '../../../shared/server/database/call-rpc.ts'
import type { ChatDependencies } from './dependencies.ts'
import type { StoredAnswer, UiMessage } from './loaded-turn.ts'
import type { ModelCallUsage } from './model-usage.ts'
import type { ParkedState } from './parked-state.ts'
import type { RecordedInvocation } from './run-ledger.ts'

/** What is stored of a run when it ends or parks. */
export interface RunResult {
  answer: StoredAnswer
  message: UiMessage
  /** The engine's state while something is pending. */
  engine?: unknown
  modelMessages: ParkedState['modelMessages']
  invocations: readonly RecordedInvocation[]
  usage: readonly ModelCallUsage[]
}

/** Milliseconds between further tries while the database is away, and how many. */
const laterMs = 2000
const laterTries = 30

/**
 * Stores the end of a run in one round trip. False when the database does not answer: then it is tried again in
 * the background for a minute; after that an identical request runs the turn again.
 */
export async function finishRun(
  runId: string,
  result: RunResult,
  { rpc, keepAlive }: Pick<ChatDependencies, 'rpc' | 'keepAlive'>,
): Promise<boolean> {
  const args = { p_run_id: runId, p_result: await storedResult(result) }
  try {
    await rpc('finish_run', args)
    return true
  } catch (error) {
    console.error('a finished run could not be stored:', error)
    if (!(error instanceof DatabaseError && error.transient)) return false
    const later = async () => {
      for (let tries = 0; tries < laterTries; tries++) {
        await new Promise((resolve) => setTimeout(resolve, laterMs))
        const stored = await rpc('finish_run', args).then(
          () => true,
          () => false,
        )
        if (stored) return
      }
    }
    keepAlive(later())
    return false
  }
}

/** Gives a run back in which nothing has happened, so that the same request may run it again. */
export async function releaseRun(runId: string, rpc: ChatDependencies['rpc']): Promise<void> {
  const result = { status: 'interrupted', text: '', answer: null, message: null, invocations: [], usage: [] }
  await rpc('finish_run', { p_run_id: runId, p_result: result }).catch((error) => {
    // Its lease ends in any case.
    console.error('a run could not be given back:', error)
  })
}

async function storedResult({ answer, message, engine, modelMessages, invocations, usage }: RunResult) {
  const resumeAt = answer.pending?.find((wait) => wait.resumeAt !== undefined)?.resumeAt
  return {
    status: answer.status,
    text: answer.text,
    answer,
    message: { parts: message.parts, metadata: message.metadata },
    modelMessages,
    invocations: await Promise.all(
      invocations.map(async (entry) => ({ ...entry, argumentHash: await argumentHash(entry.arguments) })),
    ),
    usage,
    ...(answer.pending === undefined ? {} : { pending: await Promise.all(answer.pending.map(bound)) }),
    ...(engine === undefined ? {} : { state: { engine, modelMessages } satisfies ParkedState }),
    ...(resumeAt === undefined ? {} : { resumeAt }),
  }
}

/** An approval is bound to the arguments that were shown; its id is the call's, unique within the message. */
async function bound(wait: NonNullable<StoredAnswer['pending']>[number]) {
  if (wait.type !== 'approval') return wait
  return { ...wait, approvalId: wait.toolCallId, argumentHash: await argumentHash(wait.values ?? {}) }
}
