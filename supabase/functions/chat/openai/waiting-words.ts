import { withoutMark } from '../../../../shared/engine/core/question-mark.ts'
import type { AppUrls } from '../../../../shared/server/links/app-urls.ts'
import type { Language } from '../../../../shared/words/language.ts'
import type { ChatAnswer } from '../answer/chat-answer.ts'
import type { PendingItem } from '../answer/open-item.ts'
import type { AnswerMetadata } from '../answer/ui-message.ts'
import { previewApproval } from './approval-preview.ts'
import { withoutImages } from './plain-images.ts'

/** What somebody is asked to do, by what the run waits for. */
const requests = {
  needs_approval: 'approve',
  needs_input: 'fillIn',
  needs_connection: 'connect',
  waiting: 'follow',
} as const satisfies Partial<Record<ChatAnswer['status'], keyof Language['openai']>>

/**
 * Added to the words of a run that waits for somebody: questions that they do not ask, what would be done
 * after a yes, and where to decide; `''` for any other run. Text in the chat decides nothing: anybody, including
 * a page that a tool has read, may have written it.
 */
export function sayWaiting(
  { status, conversationId, message, text, pending = [] }: ChatAnswer,
  { base }: AppUrls,
  isNamed: boolean,
  language: Language,
): string {
  const words = language.openai
  const request = requestFor(status, pending, language)
  if (request === undefined) return ''
  const { texts = [] } = (message.metadata ?? {}) as Partial<AnswerMetadata>
  const said = new Set(texts.map(({ toolCallId }) => toolCallId))
  // Older items of the conversation were told in their own answers.
  const own = pending.filter(({ messageId }) => messageId === message.id)
  const approvals = own.filter(canBeApproved).length
  const items = own.map((item) => {
    const isSaid = said.has(item.toolCallId) || (item.type === 'input' && asksSomething(text))
    return sayItem(item, { isSaid, isOneOfMany: approvals > 1 }, language)
  })
  const parts = [
    ...items,
    words.there(request, base === undefined ? undefined : `${base}/chat/${conversationId}`),
    ...(status === 'waiting' ? [] : [isNamed ? words.thenAskNamed : words.thenAsk]),
  ]
  return ['', ...parts.filter((part) => part !== '')].join('\n\n')
}

/** `isSaid`: the words of the run ask it; of several approvals each repeats what its values belong to. */
function sayItem(
  item: PendingItem,
  { isSaid, isOneOfMany }: { isSaid: boolean; isOneOfMany: boolean },
  language: Language,
): string {
  const {
    type,
    approvalId,
    toolName,
    question,
    confirm,
    account,
    values,
    approvers,
    stillWaiting = [],
  } = item
  const asked = isSaid ? '' : withoutMark(question)
  const waiting = isSaid ? stillWaiting.map(({ text }) => text).join('\n') : ''
  if (!canBeApproved({ type, approvalId }))
    return withoutImages([asked, waiting].filter(Boolean).join('\n\n'))
  const isForm = type === 'input'
  const about = asked === '' && isOneOfMany ? (confirm ?? '') : asked
  const heading = [about, isForm && about !== confirm ? (confirm ?? '') : ''].filter(Boolean).join('\n\n')
  const call = { toolName, account: account || undefined, values }
  const preview = previewApproval(call, language)
  const whoApproves = approvers?.sentence ?? ''
  return withoutImages([heading, preview, whoApproves, waiting].filter((part) => part !== '').join('\n\n'))
}

/** An approval, or a form that is one too. */
function canBeApproved({ type, approvalId }: Pick<PendingItem, 'type' | 'approvalId'>): boolean {
  return type === 'approval' || approvalId !== undefined
}

function requestFor(
  status: ChatAnswer['status'],
  pending: readonly PendingItem[],
  { openai }: Language,
): string | undefined {
  const isBoth = status === 'needs_input' && pending.some((one) => one.type === 'input' && canBeApproved(one))
  if (isBoth) return openai.fillInAndApprove
  const isForOthers = pending.length > 0 && pending.every(({ approvers }) => approvers?.canApprove === false)
  if (isForOthers) return openai.follow
  const request = status in requests ? requests[status as keyof typeof requests] : undefined
  return request && openai[request]
}

/** Words followed by a question mark, in any script. */
function asksSomething(text: string): boolean {
  return text.split('\n').some((line) => {
    const letter = line.search(/\p{L}/u)
    return letter >= 0 && /[?？؟⸮՞፧]/u.test(line.slice(letter))
  })
}
