import { ApiError } from '../../../../shared/server/http/api-error.ts'
import { writeLog } from '../../../../shared/server/log/log-line.ts'
import type { RunPlace } from '../answer/chat-answer.ts'
import type { AnswerMetadata } from '../answer/ui-message.ts'
import type { ClientDecision } from '../request/turn-request.ts'
import type { RunFailure, RunOutcome } from '../turn/run-feed.ts'
import { openEventStream } from './event-stream.ts'
import { MessageStream, type StreamEnd } from './message-stream.ts'

/** Follows one or more runs that write the same message, and reports how the last one has ended. */
export type FollowRuns = (message: MessageStream, gone: AbortSignal) => Promise<RunOutcome>

const interrupted: RunFailure = {
  code: 'interrupted',
  text: 'The answer was interrupted. Send the message again.',
}

/**
 * Answers with a message while it is being written. The first part is sent immediately; later errors are an `error`
 * part. `continued`: the client's decisions, if it already has the message. `onEnd` is told whether the client has
 * read it to the end. `keepAlive` keeps the process until it is over, even if the client has left.
 */
export function messageResponse(
  place: RunPlace,
  continued: readonly ClientDecision[] | undefined,
  follow: FollowRuns,
  onEnd: (isRead: boolean) => Promise<void>,
  keepAlive: (work: Promise<unknown>) => void,
): Response {
  const events = openEventStream({ 'x-vercel-ai-ui-message-stream': 'v1' })
  const message = new MessageStream(place, continued, events.write)
  message.start()
  const work = follow(message, events.gone)
    .then(readEnd, (error): StreamEnd => ({ failure: describe(error, place) }))
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

function readEnd(outcome: RunOutcome): StreamEnd {
  if (outcome === 'interrupted') return { failure: interrupted }
  if ('refusal' in outcome) return { failure: outcome.refusal }
  const { answer, stopped, failure } = outcome
  if (failure !== undefined) return { failure }
  const { status, usage, message } = answer
  const { pending = [], toolTimes = {}, texts } = (message.metadata ?? {}) as Partial<AnswerMetadata>
  const metadata = { status, usage, pending, toolTimes, ...(texts ? { texts } : {}) }
  return { answer: metadata, parts: message.parts, stopped }
}

function describe(error: unknown, { conversationId, runId }: RunPlace): RunFailure {
  if (error instanceof ApiError) return { code: error.code, text: error.message }
  writeLog('stream-fault', { conversationId, runId }, error)
  const text = 'Something went wrong on the server. Reload the conversation to see what was done.'
  return { code: 'internal_error', text }
}
