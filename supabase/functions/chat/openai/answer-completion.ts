import { openEventStream } from '../stream/event-stream.ts'
import type { ChatDependencies } from '../turn/dependencies.ts'
import { AnswerContent } from './answer-content.ts'
import {
  completionBody,
  completionChunk,
  type FinishReason,
  makeHead,
  usageChunk,
} from './completion-body.ts'
import type { CompletionRequest } from './completion-request.ts'
import type { Completion, CompletionRun } from './completion-run.ts'
import { describeError } from './openai-error.ts'
import { sayWaiting } from './waiting-words.ts'

/** Milliseconds in which a failure is still sent as an HTTP error. Including what came before, the first byte arrives within 4 s. */
const silentMs = 3000
/** Milliseconds between comments: SDKs that wait for 3 s receive something in time. */
const keepAliveMs = 2500

/** OpenAI clients show it in error reports, so that an operator can find the run. */
const requestId = 'x-request-id'
/** Lists the parts of the request that were ignored. */
const ignoredHeader = 'x-askback-ignored'

/** Answers with the whole completion. Throws CompletionFailed. */
export async function answerAtOnce(
  run: CompletionRun,
  request: CompletionRequest,
  { appUrls }: ChatDependencies,
): Promise<Response> {
  const completion = await run.follow(() => {})
  const { answer, corrected } = completion
  const content = new AnswerContent(run, () => {})
  content.push([...corrected, answer.text].join('\n\n'))
  content.end(sayWaiting(answer, appUrls, request.chat !== undefined, run.language))
  await run.noteTold(content.sent)
  const head = makeHead(run.runId, request.model)
  const body = completionBody(head, content.sent, finishReasonOf(completion), answer.usage)
  return Response.json(body, { headers: describe(run, request) })
}

/**
 * Answers with the completion while it is being written. Throws CompletionFailed if it fails early and nothing was said;
 * later that is an error within the stream.
 */
export async function answerAsStream(
  run: CompletionRun,
  request: CompletionRequest,
  { appUrls, keepAlive }: ChatDependencies,
): Promise<Response> {
  const head = makeHead(run.runId, request.model)
  const events = openEventStream(describe(run, request), keepAliveMs)
  let hasBegun = false
  let begin = () => {}
  const begun = new Promise<void>((resolve) => {
    begin = resolve
  })
  const said = new AnswerContent(run, (content) => events.write([completionChunk(head, { content })]))
  events.write([completionChunk(head, { role: 'assistant', content: '' })])
  const work = run
    .follow((text) => {
      said.push(text)
      begin()
    }, events.gone)
    .then(async (completion) => {
      const { answer } = completion
      said.end(sayWaiting(answer, appUrls, request.chat !== undefined, run.language))
      await run.noteTold(said.sent)
      events.write([
        completionChunk(head, {}, finishReasonOf(completion)),
        ...(request.includeUsage ? [usageChunk(head, answer.usage)] : []),
      ])
      events.close()
    })
    .catch(async (error) => {
      await run.noteTold(said.sent)
      if (hasBegun) events.write([{ error: describeError(error, run.language).error }])
      events.close()
      throw error
    })
  keepAlive(work.catch(() => {}))
  const timer = setTimeout(begin, silentMs)
  await Promise.race([begun, work]).finally(() => clearTimeout(timer))
  hasBegun = true
  return events.response
}

function describe({ runId }: CompletionRun, { ignored }: CompletionRequest): Record<string, string> {
  return { [requestId]: runId, ...(ignored.length > 0 ? { [ignoredHeader]: ignored.join(', ') } : {}) }
}

/** An answer that asks somebody is complete, whatever was cut before. */
function finishReasonOf({ answer, isCut }: Completion): FinishReason {
  return isCut && (answer.status === 'completed' || answer.status === 'failed') ? 'length' : 'stop'
}
