import type { ToolSpecification } from '../../../../shared/engine/core/tool-specification.ts'
import { defaultLimits } from '../../../../shared/engine/loop/run/limits.ts'
import { formatToolError } from '../../../../shared/engine/wording/format-tool-error.ts'
import type { CallAnswer, CanAsk, WaitingCall } from '../../../../shared/server/client-calls/client-call.ts'
import { ApiError } from '../../../../shared/server/http/api-error.ts'
import type { ChatAnswer } from '../answer/chat-answer.ts'
import type { PendingItem } from '../answer/open-item.ts'
import { createLink } from '../links/create-link.ts'
import type { ChatDependencies } from '../turn/dependencies.ts'
import { flatForm } from './flat-form.ts'

/** For whom a call is described. */
export interface Described {
  userId: string
  canAsk: CanAsk
  tools: readonly ToolSpecification[]
  /** It was done for an equal call before. */
  isAgain?: boolean
  /** It was a message to the agent: its words are the result. */
  isMessage?: boolean
  /** Nobody answers what the program was asked. */
  declined?: boolean
}

/** What a program gets of a call that has ended, or waits. */
export async function describeCall(
  answer: ChatAnswer,
  about: Described,
  parts: Pick<ChatDependencies, 'rpc' | 'appUrls' | 'functionSecret'>,
): Promise<CallAnswer> {
  const { conversationId, pending = [], toolsUsed, text, message } = answer
  const item = pending.find(({ messageId }) => messageId === message.id)
  if (item) return await describeItem(conversationId, item, about, parts)
  if (about.isMessage) {
    if (answer.status === 'failed') return { kind: 'failed', conversationId, text }
    return { kind: 'done', conversationId, data: { answer: text, conversation: conversationId } }
  }
  const use = toolsUsed.at(-1)
  if (!use) return { kind: 'failed', conversationId, text }
  const { ok, output, error, startedAt, attempt, toolName } = use
  if (ok) {
    return {
      kind: 'done',
      conversationId,
      data: output ?? null,
      ...(about.isAgain && { doneAt: startedAt }),
    }
  }
  if (!error) return { kind: 'failed', conversationId, text }
  const tool = about.tools.find(({ name }) => name === toolName) ?? toolName
  const { maxAttempts } = defaultLimits
  return {
    kind: 'failed',
    conversationId,
    text: formatToolError(error, { attempt, maxAttempts, tool }),
    error,
  }
}

async function describeItem(
  conversationId: string,
  item: PendingItem,
  { userId, canAsk, declined }: Described,
  parts: Pick<ChatDependencies, 'rpc' | 'appUrls' | 'functionSecret'>,
): Promise<WaitingCall> {
  const { itemId, question, resumeAt, type } = item
  const waiting = { kind: 'waits' as const, conversationId, itemId, question }
  if (type === 'wait') return { ...waiting, ...(resumeAt && { resumeAt }) }
  const href = await linkTo(userId, itemId, parts)
  const ask = declined ? undefined : howToAsk(item, canAsk, href)
  // One program is asked once about one thing: those that drop a question would be asked for ever.
  const args = { p_user_id: userId, p_conversation_id: conversationId, p_item_id: itemId }
  const mayAsk = ask !== undefined && (await parts.rpc('note_call_asked', args)) === true
  return {
    ...waiting,
    ...(href && { href }),
    ...(mayAsk && { ask }),
    ...(declined && { declined }),
  }
}

/** A value is asked for in a form; who approves or connects something does so on our own page. */
function howToAsk(
  { type, schema }: PendingItem,
  canAsk: CanAsk,
  href: string | undefined,
): WaitingCall['ask'] {
  // Values alone approve nothing: where they need approval, that is asked for next.
  const form = type === 'input' && schema ? flatForm(schema) : undefined
  if (form && canAsk.form) return { mode: 'form', schema: form }
  return canAsk.url && href !== undefined ? { mode: 'url' } : undefined
}

/** The page of an item, for its user after sign-in; undefined where the project has none, or there are enough links. */
async function linkTo(
  userId: string,
  itemId: string,
  parts: Pick<ChatDependencies, 'rpc' | 'appUrls' | 'functionSecret'>,
): Promise<string | undefined> {
  if (parts.appUrls.base === undefined) return undefined
  try {
    return (await createLink(parts, userId, itemId)).link.url
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}
