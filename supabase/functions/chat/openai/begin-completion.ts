import { z } from 'zod'
import { askDatabase } from '../../../../shared/server/database/ask-database.ts'
import type { CallRpc } from '../../../../shared/server/database/call-rpc.ts'
import { writeLog } from '../../../../shared/server/log/log-line.ts'
import { withBrief } from '../request/user-message.ts'
import { type BegunTurn, isBegun, readTurnReply, runTerms, type Turn } from '../turn/begin-turn.ts'
import { turnReplySchema } from '../turn/loaded-turn.ts'
import type { CompletionRequest } from './completion-request.ts'
import { outcomeSchema, outcomeSentence } from './outcome-words.ts'
import { withoutImages } from './plain-images.ts'

/** What a request means. */
export interface BegunCompletion {
  turn: BegunTurn
  /** News before the answer, a sentence each. */
  news: string[]
  /** The answer to be continued, without the news before it. */
  given: string
  /** The front end asks for its own purposes, by what the request says or what it quotes. */
  isForFrontEnd: boolean
  /** The client's history has an answer that no run of its chat has written. */
  isForeign: boolean
}

const replySchema = z.object({
  reply: turnReplySchema,
  isTask: z.boolean(),
  isForeign: z.boolean(),
  outcomes: z.array(outcomeSchema),
})

/**
 * Starts what a request asks for, or finds its earlier result if it is repeated (SQL `begin_completion`). The outcome of
 * what the chat was waiting for is news until the client's history contains the sentence. Throws ApiError.
 */
export async function beginCompletion(
  rpc: CallRpc,
  userId: string,
  runId: string,
  {
    turn: asked,
    key,
    chat,
    message,
    messageKey,
    isTemporary,
    isAlone,
    words,
    answers,
    given,
    ...asking
  }: CompletionRequest,
): Promise<BegunCompletion> {
  const { agentId, title, messages, client, timezone } = asked
  const p_request = {
    runId,
    ...runTerms,
    key,
    ...(chat === undefined ? {} : { conversationId: chat }),
    ...(message === undefined ? {} : { message }),
    ...(messageKey === undefined ? {} : { messageKey }),
    isTemporary,
    isAlone,
    agentId,
    title,
    messages: messages.map(withBrief),
    client,
    timezone,
    words,
    answers,
  }
  const consequence = 'so your message is not stored yet. Send it again in a minute.'
  const begun = await askDatabase(
    rpc('begin_completion', { p_user_id: userId, p_request }),
    replySchema,
    consequence,
  )
  const turn = await readTurnReply(rpc, begun.reply)
  const told = begun.outcomes.flatMap((outcome) => {
    const sentence = outcomeSentence(outcome)
    return sentence === undefined ? [] : [{ id: outcome.id, sentence: withoutImages(sentence) }]
  })
  const isHeard = ({ sentence }: { sentence: string }) => answers.some(({ text }) => text.includes(sentence))
  const heard = told.filter(isHeard).map(({ id }) => id)
  if (chat !== undefined && heard.length > 0) {
    const args = { p_user_id: userId, p_conversation_id: chat, p_ids: heard }
    // Otherwise it is recorded with the next request.
    await rpc('note_heard', args).catch((error) => writeLog('outcomes-not-noted', { chat }, error))
  }
  const news = told.filter((one) => !isHeard(one)).map(({ sentence }) => sentence)
  const { isForeign, isTask } = begun
  const isForFrontEnd = asking.isForFrontEnd || isTask
  const about = { news, given: withoutFront(given, told), isForFrontEnd, isForeign }
  if (isBegun(turn)) return { turn, ...about }
  const known = withNews(isForeign ? { ...turn, privateBefore: true, permissions: [] } : turn, news)
  return { turn: isForFrontEnd ? { ...known, tools: [] } : known, ...about }
}

function withoutFront(given: string, told: readonly { sentence: string }[]): string {
  return told.reduce((rest, { sentence }) => {
    return rest.startsWith(sentence) ? rest.slice(sentence.length).trimStart() : rest
  }, given)
}

/** The model reads the news before the user's message: the client's history does not have it yet. */
function withNews(turn: Turn, news: readonly string[]): Turn {
  const last = turn.history.findLastIndex(({ role }) => role === 'user')
  const message = turn.history[last]
  if (news.length === 0 || !message) return turn
  const entries = message.entries.map((entry) =>
    entry.type === 'user-message'
      ? {
          ...entry,
          earlier: [...(entry.earlier ?? []), { role: 'assistant' as const, content: news.join('\n') }],
        }
      : entry,
  )
  return { ...turn, history: turn.history.with(last, { ...message, entries }) }
}
