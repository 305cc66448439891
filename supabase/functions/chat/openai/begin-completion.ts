import { z } from 'zod'
import { askDatabase } from '../../../../shared/server/database/ask-database.ts'
import type { CallRpc } from '../../../../shared/server/database/call-rpc.ts'
import { writeLog } from '../../../../shared/server/log/log-line.ts'
import { everyLanguage, readersLanguage } from '../../../../shared/server/reader/readers-language.ts'
import type { Language } from '../../../../shared/words/language.ts'
import { english } from '../../../../shared/words/languages/english.ts'
import { withBrief } from '../request/user-message.ts'
import { type BegunTurn, isBegun, namedBy, readTurnReply, runTerms, type Turn } from '../turn/begin-turn.ts'
import { turnReplySchema } from '../turn/loaded-turn.ts'
import type { CompletionRequest } from './completion-request.ts'
import { outcomeSchema, outcomeSentence } from './outcome-words.ts'
import { withoutImages } from './plain-images.ts'

/** What a request means. */
export interface BegunCompletion {
  turn: BegunTurn
  /** Of whoever reads the answer. */
  language: Language
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
    reader,
    ...asking
  }: CompletionRequest,
): Promise<BegunCompletion> {
  const { agentId, title, messages, client } = asked
  const p_request = {
    runId,
    ...runTerms,
    key,
    conversationId: chat,
    message,
    messageKey,
    isTemporary,
    isAlone,
    agentId,
    title,
    messages: messages.map(withBrief),
    client,
    ...namedBy(reader),
    words,
    answers,
  }
  const begun = await askDatabase(
    rpc('begin_completion', { p_user_id: userId, p_request }),
    replySchema,
    'message_not_stored',
  )
  const turn = await readTurnReply(rpc, userId, begun.reply)
  const loaded = isBegun(turn) ? undefined : turn
  const language = await readersLanguage(rpc, userId, reader, loaded)
  // It may have been told in another language.
  const all = begun.outcomes.length > 0 ? await everyLanguage(rpc, loaded?.catalogue) : []
  const sentences = begun.outcomes.flatMap((outcome) => {
    const say = (one: Language) => withoutImages(outcomeSentence(outcome, one) ?? '')
    const sentence = say(language)
    const inAny = [sentence, ...all.map(say)]
    return sentence === '' ? [] : [{ id: outcome.id, sentence, forModel: say(english), inAny }]
  })
  const isHeard = ({ inAny }: { inAny: readonly string[] }) =>
    answers.some(({ text }) => inAny.some((sentence) => text.includes(sentence)))
  const heard = sentences.filter(isHeard).map(({ id }) => id)
  if (chat !== undefined && heard.length > 0) {
    const args = { p_user_id: userId, p_conversation_id: chat, p_ids: heard }
    // Otherwise it is recorded with the next request.
    await rpc('note_heard', args).catch((error) => writeLog('outcomes-not-noted', { chat }, error))
  }
  const fresh = sentences.filter((one) => !isHeard(one))
  const news = fresh.map(({ sentence }) => sentence)
  const { isForeign, isTask } = begun
  const isForFrontEnd = asking.isForFrontEnd || isTask
  const about = { news, given: withoutFront(given, sentences), isForFrontEnd, isForeign, language }
  if (isBegun(turn)) return { turn, ...about }
  const known = withNews(
    isForeign ? { ...turn, privateBefore: true, permissions: [] } : turn,
    fresh.map(({ forModel }) => forModel),
  )
  return { turn: isForFrontEnd ? { ...known, tools: [] } : known, ...about }
}

function withoutFront(given: string, sentences: readonly { inAny: readonly string[] }[]): string {
  return sentences.reduce((rest, { inAny }) => {
    const sentence = inAny.find((one) => rest.startsWith(one))
    return sentence === undefined ? rest : rest.slice(sentence.length).trimStart()
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
