import { isObject } from '../../../../shared/engine/core/json-value.ts'
import type { CallAnswer, WaitingCall } from '../../../../shared/server/client-calls/client-call.ts'
import type { CallToolResult } from '../protocol/sdk.ts'

/** What a client gets of a call. */
export function toResult(answer: CallAnswer): CallToolResult {
  switch (answer.kind) {
    case 'done': {
      const { data, doneAt } = answer
      const before = doneAt === undefined ? undefined : `Already done at ${doneAt}; not done again.`
      const text = typeof data === 'string' ? data : JSON.stringify(data)
      // Some clients pass on nothing but this. No tool has an output schema that says what is in it.
      const structured = { ...(before && { 'askback/already_done': before }), ...(isObject(data) && data) }
      return {
        content: [...(before ? [before] : []), text].map(asText),
        ...(isObject(data) && { structuredContent: structured }),
      }
    }
    case 'failed':
      return {
        content: [asText(answer.text)],
        isError: true,
        ...(answer.error && { _meta: { 'askback/error': answer.error } }),
      }
    case 'refused':
      return { content: [asText(answer.text)], isError: true }
    case 'waits':
      return waitingResult(answer)
    case 'running':
      return unfinishedResult()
  }
}

/** What waits is no failure: a model that reads of one would try again. */
function waitingResult({ itemId, question, href, resumeAt, declined }: WaitingCall): CallToolResult {
  const said = resumeAt
    ? `Not done yet. It continues by itself at ${resumeAt}.`
    : declined
      ? 'Not done: this was declined here. It stays open, and can still be decided.'
      : 'Not done yet: the user has to decide it.'
  const where = href === undefined ? 'in their list of what waits' : `at ${href}`
  const next = resumeAt ? '' : ` Tell the user what is asked, and that they can decide it ${where}.`
  const text = `${question}\n\n${said}${next} Do not call it again: it continues by itself.`
  return {
    content: [asText(text)],
    _meta: { 'askback/open': { itemId, ...(href && { href }) } },
  }
}

/** A call that has not ended by the end of its stream. */
export function unfinishedResult(): CallToolResult {
  return {
    content: [
      asText('Not done yet: it is still being worked on, and continues by itself. Do not call it again now.'),
    ],
  }
}

function asText(text: string) {
  return { type: 'text' as const, text }
}
