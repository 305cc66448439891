import { ApiError } from '../../../../shared/server/http/api-error.ts'
import { writeLog } from '../../../../shared/server/log/log-line.ts'
import type { Language } from '../../../../shared/words/language.ts'
import { sayRefusal } from '../../../../shared/words/say.ts'
import type { ChatAnswer } from '../answer/chat-answer.ts'
import { deleteConversation } from '../answer/conversations.ts'
import { startOrJoin } from '../stream/start-or-join.ts'
import type { ActiveRuns } from '../turn/active-runs.ts'
import { type BegunTurn, isBegun } from '../turn/begin-turn.ts'
import type { ChatDependencies } from '../turn/dependencies.ts'
import type { RunOutcome } from '../turn/run-feed.ts'
import { interruptedAgain, untilDone } from '../turn/until-done.ts'
import { type BegunCompletion, beginCompletion } from './begin-completion.ts'
import { openClientConnection } from './client-connection.ts'
import type { CompletionRequest } from './completion-request.ts'
import { CompletionText } from './completion-text.ts'
import { modelNotFound } from './models.ts'
import type { OpenAiCaller } from './openai-caller.ts'
import { CompletionFailed, describeError } from './openai-error.ts'

/** A completion that was started. */
export interface CompletionRun extends Pick<BegunCompletion, 'news' | 'given'> {
  runId: string
  /** Of whoever reads it. */
  language: Language
  /**
   * Emits the run's text until it has ended. Call it once. Throws CompletionFailed. `gone` ends it, and closes the
   * connection.
   */
  follow(emit: (text: string) => void, gone?: AbortSignal): Promise<Completion>
  /** Records what the client was sent, to recognise it in the history of a chat, and in what a front end asks about it. */
  noteTold(content: string): Promise<void>
  /** The client has closed its connection. */
  close(): void
}

/** The result of a run. */
export interface Completion {
  answer: ChatAnswer
  /** Lines about the model's corrections that the answer's words do not contain. */
  corrected: readonly string[]
  /** Its last words were cut at the length limit. */
  isCut: boolean
}

/** Stores the request and starts or finds its run. Throws ApiError: then it may be sent again. */
export async function beginCompletionRun(
  caller: OpenAiCaller,
  request: CompletionRequest,
  dependencies: ChatDependencies,
  active: ActiveRuns,
): Promise<CompletionRun> {
  const { rpc, keepAlive } = dependencies
  const runId = crypto.randomUUID()
  const begin = () => beginCompletion(rpc, caller.userId, runId, request)
  const {
    turn: first,
    language,
    ...about
  } = await begin().catch((error) => {
    const isUnknown = error instanceof ApiError && error.code === 'agent_not_found'
    throw isUnknown ? modelNotFound(request.model) : error
  })
  const firstId = first.kind === 'return' ? first.run.runId : first.runId
  const connection = openClientConnection(runId, caller.userId, dependencies)
  connection.follow(firstId)
  const leave = isBegun(first) ? enter(firstId) : () => {}

  function enter(id: string): () => void {
    try {
      return active.enter(id)
    } catch (error) {
      connection.close()
      throw error
    }
  }

  async function follow(turn: BegunTurn, text: CompletionText, gone?: AbortSignal): Promise<RunOutcome> {
    const { stream, maxAnswerTokens } = request
    const options = { active, gone, stream, maxAnswerTokens, beside: true, connection: runId }
    const outcome = startOrJoin(turn, caller, text, dependencies, options)
    // Nobody looks for a conversation about the title of another one.
    if (about.isForFrontEnd && turn.kind === 'run') keepAlive(forget(turn.conversationId, turn.runId))
    return await outcome
  }

  async function forget(conversationId: string, id: string): Promise<void> {
    await active.ended(id)
    await deleteConversation(rpc, caller.userId, conversationId).catch((error) =>
      writeLog('front-end-request-kept', { conversationId }, error),
    )
  }

  return {
    ...about,
    runId: firstId,
    language,
    close: connection.close,
    async noteTold(content) {
      if (about.isForFrontEnd || content === '') return
      // `given` is ours too if the whole history is.
      const text = about.isForeign ? content : request.given + content
      const args = { p_user_id: caller.userId, p_run_id: firstId, p_text: text }
      await rpc('note_told', args).catch((error) => writeLog('answer-not-noted', { runId: firstId }, error))
    },
    async follow(emit, gone) {
      gone?.addEventListener('abort', connection.close)
      const text = new CompletionText(language, emit)
      try {
        const beginAgain = async () => {
          const { turn } = await begin()
          await connection.follow(turn.kind === 'return' ? turn.run.runId : turn.runId)
          return turn
        }
        const options = { first, isGone: () => connection.isClosed }
        const outcome = await untilDone(beginAgain, (turn) => follow(turn, text, gone), options)
        return readCompletion(outcome, text, language)
      } catch (error) {
        // A client that was told of a failure no longer waits.
        connection.close()
        throw asFailed(error, first, language)
      } finally {
        text.end()
        leave()
      }
    },
  }
}

function readCompletion(
  outcome: RunOutcome,
  { failure, corrected, isCut }: CompletionText,
  language: Language,
): Completion {
  if (outcome === 'interrupted') throw interruptedAgain()
  if ('refusal' in outcome) {
    throw new CompletionFailed('model_unavailable', sayRefusal(language, outcome.refusal))
  }
  const answer = outcome.run.answerIn(language)
  if (outcome.failure !== undefined) throw new CompletionFailed('run_failed', answer.text)
  if (failure !== undefined) throw new CompletionFailed(failure.code, failure.text)
  return { answer, corrected, isCut }
}

/** Any failure after a run has started: something may have been done. */
function asFailed(cause: unknown, turn: BegunTurn, language: Language): CompletionFailed {
  if (cause instanceof CompletionFailed) return cause
  const { status, error } = describeError(cause, language)
  if (status === 500) writeLog('completion-fault', { kind: turn.kind }, cause)
  const code = cause instanceof ApiError ? cause.code : 'internal_error'
  return new CompletionFailed(code, error.message, { status, cause })
}
