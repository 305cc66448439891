import { ApiError } from '../../../../shared/server/http/api-error.ts'
import { writeLog } from '../../../../shared/server/log/log-line.ts'
import type { Language } from '../../../../shared/words/language.ts'
import { sayRefusal } from '../../../../shared/words/say.ts'
import type { RunPlace } from '../answer/chat-answer.ts'
import type { AnswerMetadata } from '../answer/ui-message.ts'
import type { ClientDecision } from '../request/turn-request.ts'
import type { RunFailure, RunOutcome } from '../turn/run-feed.ts'
import { openEventStream } from './event-stream.ts'
import { MessageStream, type StreamEnd } from './message-stream.ts'

/** Follows one or more runs that write the same message, and reports how the last one has ended. */
export type FollowRuns = (message: MessageStream, gone: AbortSignal) => Promise<RunOutcome>

/**
 * Answers with a message in a language while it is being written. The first part is sent immediately; later errors are an `error`
 * part. `continued`: the client's decisions, if it already has the message. `onEnd` is told whether the client has
 * read it to the end. `keepAlive` keeps the process until it is over, even if the client has left.
 */
export function messageResponse(
  place: RunPlace,
  language: Language,
  continued: readonly ClientDecision[] | undefined,
  follow: FollowRuns,
  onEnd: (isRead: boolean) => Promise<void>,
  keepAlive: (work: Promise<unknown>) => void,
): Response {
  const events = openEventStream({ 'x-vercel-ai-ui-message-stream': 'v1' })
  const message = new MessageStream(place, language, continued, events.write)
  message.start()
  const work = follow(message, events.gone)
    .then(
      (outcome) => readEnd(outcome, language),
      (error): StreamEnd => ({ failure: inWords(describe(error, place), language) }),
    )
    .then((end) => {
      message.end(end)
      events.close()
      return events.delivered.then(onEnd)
    })
    .catch((error) => {
      writeLog('stream-fault', { ...place }, error)
      events.cut()
    })
  keepAlive(work)
  return events.response
}

function readEnd(outcome: RunOutcome, language: Language): StreamEnd {
  if (outcome === 'interrupted')
    return { failure: inWords(new ApiError('interrupted', { isRepeated: false }), language) }
  if ('refusal' in outcome) return { failure: inWords(outcome.refusal, language) }
  const { run, stopped, failure } = outcome
  const answer = run.answerIn(language)
  if (failure !== undefined) return { failure: { code: failure, text: answer.text } }
  const { status, usage, message } = answer
  const { pending = [], toolTimes = {}, texts } = (message.metadata ?? {}) as Partial<AnswerMetadata>
  const metadata = { status, usage, pending, toolTimes, texts }
  return { answer: metadata, parts: message.parts, stopped }
}

function inWords(refusal: ApiError, language: Language): RunFailure {
  return { code: refusal.code, text: sayRefusal(language, refusal) }
}

function describe(error: unknown, { conversationId, runId }: RunPlace): ApiError {
  if (error instanceof ApiError) return error
  writeLog('stream-fault', { conversationId, runId }, error)
  return new ApiError('internal_error', { why: 'stream' })
}
