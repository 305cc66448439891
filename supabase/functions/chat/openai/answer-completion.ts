import { openEventStream } from '../stream/event-stream.ts'
import type { ChatDependencies } from '../turn/dependencies.ts'
import { completionBody, completionChunk, makeHead, usageChunk } from './completion-body.ts'
import type { CompletionRequest } from './completion-request.ts'
import type { CompletionRun } from './completion-run.ts'
import { describeError } from './openai-error.ts'
import { ImageFilter, withoutImages } from './plain-images.ts'
import { sayWaiting } from './waiting-words.ts'

/** Milliseconds in which a failure is still an HTTP error; a stream sends its first byte within 5 s. */
const silentMs = 4000

/** What OpenAI clients tell whoever asks for help: by it an operator finds the run. */
const requestId = 'x-request-id'

/** Answers with the whole completion. Throws CompletionFailed. */
export async function answerAtOnce(
  run: CompletionRun,
  { model }: CompletionRequest,
  { appUrls }: ChatDependencies,
): Promise<Response> {
  const answer = await run.follow(() => {})
  const content = withoutImages(answer.text) + sayWaiting(answer, appUrls)
  const body = completionBody(makeHead(run.runId, model), content, answer.usage)
  return Response.json(body, { headers: { [requestId]: run.runId } })
}

/**
 * Answers with the completion while it is written. Throws CompletionFailed where it fails soon and nothing was said;
 * later that is an error within the stream.
 */
export async function answerAsStream(
  run: CompletionRun,
  { model, includeUsage }: CompletionRequest,
  { appUrls, keepAlive }: ChatDependencies,
): Promise<Response> {
  const head = makeHead(run.runId, model)
  const images = new ImageFilter()
  const events = openEventStream({ [requestId]: run.runId })
  let hasBegun = false
  let begin = () => {}
  const begun = new Promise<void>((resolve) => {
    begin = resolve
  })
  const say = (content: string) => {
    if (content !== '') events.write([completionChunk(head, { content })])
  }
  events.write([completionChunk(head, { role: 'assistant', content: '' })])
  const work = run
    .follow((text) => {
      say(images.push(text))
      begin()
    }, events.gone)
    .then((answer) => {
      say(images.flush() + sayWaiting(answer, appUrls))
      events.write([
        completionChunk(head, {}, 'stop'),
        ...(includeUsage ? [usageChunk(head, answer.usage)] : []),
      ])
      events.close()
    })
    .catch((error) => {
      if (hasBegun) events.write([{ error: describeError(error).error }])
      events.close()
      throw error
    })
  keepAlive(work.catch(() => {}))
  const timer = setTimeout(begin, silentMs)
  await Promise.race([begun, work]).finally(() => clearTimeout(timer))
  hasBegun = true
  return events.response
}
