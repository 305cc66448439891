import type { AppUrls } from '../../../../shared/server/links/app-urls.ts'
import type { ChatAnswer } from '../answer/chat-answer.ts'
import type { AnswerMetadata } from '../answer/ui-message.ts'
import { withoutImages } from './plain-images.ts'

/** What somebody is asked to do, by what the run waits for. */
const requests: Partial<Record<ChatAnswer['status'], string>> = {
  needs_approval: 'Approve or deny it',
  needs_input: 'Answer it',
  needs_connection: 'Connect it',
  waiting: 'It goes on by itself. Follow it',
}

/**
 * What is said beside the words of a run that waits for somebody: the questions that these do not ask, and where they
 * are decided; `''` for any other. What is written in the chat decides nothing: anybody, also a page that a tool has
 * read, may have written that.
 */
export function sayWaiting(
  { status, conversationId, message, pending = [] }: ChatAnswer,
  { base }: AppUrls,
): string {
  const request = requests[status]
  if (request === undefined) return ''
  const { texts = [] } = (message.metadata ?? {}) as Partial<AnswerMetadata>
  const said = new Set(texts.map(({ toolCallId }) => toolCallId))
  const questions = pending.filter(({ toolCallId }) => !said.has(toolCallId)).map(({ question }) => question)
  const place = base === undefined ? 'in the app.' : `here: ${base}/chat/${conversationId}`
  return ['', ...questions.map(withoutImages), `${request} ${place}`].join('\n\n')
}
