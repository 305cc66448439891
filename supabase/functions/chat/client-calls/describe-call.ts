import { z } from 'zod'
import { defaultLimits } from '../../../../shared/engine/loop/run/limits.ts'
import { formatToolError } from '../../../../shared/engine/wording/format-tool-error.ts'
import type { CallAnswer, CanAsk, WaitingCall } from '../../../../shared/server/client-calls/client-call.ts'
import { askDatabase } from '../../../../shared/server/database/ask-database.ts'
import type { Language } from '../../../../shared/words/language.ts'
import type { ChatAnswer } from '../answer/chat-answer.ts'
import type { PendingItem } from '../answer/open-item.ts'
import { steadyLink } from '../links/steady-link.ts'
import type { ChatDependencies } from '../turn/dependencies.ts'
import { type FormRules, formOf } from './item-form.ts'

/** For whom a call is described. */
export interface Described extends FormRules {
  userId: string
  grantId?: string | undefined
  canAsk: CanAsk
  language: Language
  /** It was done for an equal call before. */
  isAgain?: boolean
  /** Nobody answers what the program was asked. */
  declined?: boolean
  /** What was filled in too late, of which item. */
  late?: { itemId: string; filled: Record<string, unknown> }
}

type Parts = Pick<ChatDependencies, 'rpc' | 'appUrls' | 'functionSecret'>

/** What waited, and is not open any more: it has expired, or was stopped. */
const notDecided =
  'Not done: nobody has decided it in time, and it is not open any more. If it is still wanted, call it again.'

/** What a program gets of a call that has ended, or waits. */
export async function describeCall(answer: ChatAnswer, about: Described, parts: Parts): Promise<CallAnswer> {
  const { conversationId, pending = [], toolsUsed, text, message } = answer
  const item = pending.find(({ messageId }) => messageId === message.id)
  if (item) return await describeItem(conversationId, item, about, parts)
  if (about.isMessage) {
    if (answer.status === 'failed') return { kind: 'failed', conversationId, text }
    return { kind: 'done', conversationId, data: { answer: text, conversation: conversationId } }
  }
  const use = toolsUsed.at(-1)
  if (!use) {
    const isOver = answer.status.startsWith('needs_')
    return { kind: 'failed', conversationId, text: isOver ? notDecided : text }
  }
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
  about: Described,
  parts: Parts,
): Promise<WaitingCall> {
  const { itemId, question, resumeAt, type } = item
  const waiting = { kind: 'waits' as const, conversationId, itemId, question }
  if (type === 'wait') return { ...waiting, ...(resumeAt && { resumeAt }) }
  const { declined } = about
  const href = await linkTo(about.userId, itemId, parts)
  const ask = declined ? undefined : await askProgram(conversationId, item, about, href, parts)
  return { ...waiting, ...(href && { href }), ...(ask && { ask }), ...(declined && { declined }) }
}

const mayAskSchema = z.object({
  asks: z.boolean(),
  filled: z.record(z.string(), z.unknown()).nullish().catch(undefined),
})

/** How a program is to ask about an item; undefined if it cannot, or may not any more (SQL `ask_program`). */
async function askProgram(
  conversationId: string,
  item: PendingItem,
  { userId, grantId, canAsk, late, language, ...rules }: Described,
  href: string | undefined,
  { rpc }: Parts,
): Promise<WaitingCall['ask']> {
  const { itemId } = item
  const mayShow = canAsk.form && formOf(item, rules, language) !== undefined
  if (!mayShow && !(canAsk.url && href !== undefined)) return undefined
  const isAgain = late?.itemId === itemId
  const args = {
    p_user_id: userId,
    p_conversation_id: conversationId,
    p_item_id: itemId,
    p_again: isAgain,
    p_grant_id: grantId,
  }
  const { asks, filled } = await askDatabase(rpc('ask_program', args), mayAskSchema, 'not_read')
  if (!asks) return undefined
  const given = isAgain ? late.filled : (filled ?? undefined)
  const form = mayShow ? formOf(item, rules, language, given) : undefined
  return form ? { mode: 'form', ...form } : { mode: 'url' }
}

/**
 * The page of an item, for its user after sign-in, the same each time; undefined where the project has none, or there are
 * enough links.
 */
async function linkTo(userId: string, itemId: string, parts: Parts): Promise<string | undefined> {
  const link = await steadyLink(parts, { purpose: 'askback-mcp', userId, itemId })
  return (await link?.make()) ? link?.url : undefined
}
