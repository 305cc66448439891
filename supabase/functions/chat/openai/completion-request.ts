import { type RequestReader, readTimeZone, withTimeZone } from '../../../../shared/api/reader.ts'
import { argumentHash } from '../../../../shared/engine/core/canonical-json.ts'
import { isObject } from '../../../../shared/engine/core/json-value.ts'
import type { TurnRequest } from '../request/turn-request.ts'
import { makeTitle, readUserMessage } from '../request/user-message.ts'
import { findAnswers, findPlace, fingerprintsOf, type GivenAnswer } from './chat-place.ts'
import type { ClientChat } from './client-chat.ts'
import { readOptions, refuseToolResults } from './completion-options.ts'
import { projectEarlier, readGivenMessages } from './earlier-messages.ts'
import { isFrontEndRequest } from './front-end-requests.ts'
import { readParts } from './given-parts.ts'
import { ParameterError } from './openai-error.ts'
import { typedTurns, wordsOf } from './typed-words.ts'

/** The request of `POST chat/completions`. */
export interface CompletionRequest {
  /** The id of an agent. */
  model: string
  stream: boolean
  includeUsage: boolean
  /** The front end asks for its own purposes: for a title and the like. */
  isForFrontEnd: boolean
  /** Its message is the only one: it may still be a request of the front end's, about a chat. */
  isAlone: boolean
  /** Identifies the request when it is repeated. */
  key: string
  /** The id of the conversation, if the client names its chat. */
  chat?: string
  /** In a named chat: the prefix of the message's ids, if the client names it. */
  message?: string
  /** Identifies the user's newest message in whichever named chat, if its id is one that no other message has. */
  messageKey?: string
  /** Nothing of the chat is kept once nothing in it is open. */
  isTemporary: boolean
  /** The words of the user's newest message. */
  words: string
  /** The assistant's answers in the client's history. */
  answers: GivenAnswer[]
  /** The answer so far, if it is to be continued. */
  given: string
  /** The client's limit of tokens per answer. */
  maxAnswerTokens?: number
  /** The ignored parts of the request, for the header `x-askback-ignored`. */
  ignored: string[]
  /** Who reads the answer, as far as it is said. */
  reader: RequestReader
  turn: TurnRequest
}

/** Characters of an id that is made by chance: shorter ones may be numbers, which every chat gives anew. */
const shortestUniqueId = 16

/**
 * Reads the body. `caller` stands for the token, or for the signed-in user. Client `tools` are not called, and sampling
 * is the agent's: both are ignored. Throws ApiError 400 or 413.
 */
export async function readCompletionRequest(
  body: unknown,
  { conversation, message: messageName, reader, isTemporary, isTask, hasPlaceholder }: ClientChat,
  caller: string,
): Promise<CompletionRequest> {
  if (!isObject(body)) throw new ParameterError('messages', { why: 'completion_unfit' })
  const { model } = body
  if (typeof model !== 'string' || model === '') {
    throw new ParameterError('model', { why: 'model_missing' })
  }
  const { client, ...options } = readOptions(body)
  const given = readGivenMessages(body.messages)
  const last = given.findLastIndex(({ role }) => role === 'user')
  const question = given[last]
  if (!question) throw new ParameterError('messages', { why: 'no_user_message' })
  refuseToolResults(body.messages)
  const agentId = model.toLowerCase()
  const isForFrontEnd = isTask || isFrontEndRequest(given)
  const { entry } = readUserMessage({ parts: readParts(question.content) })
  // Some front ends put instructions after the user's words.
  const late = given.slice(last + 1).filter(({ role }) => role === 'system')
  const history = projectEarlier([...given.slice(0, last), ...late])
  const isNamed = conversation !== undefined && !isForFrontEnd
  const prints = await fingerprintsOf(isNamed ? given : [])
  const message = {
    entry: {
      ...entry,
      ...history,
      ...(isNamed ? { replacesHistory: true as const } : {}),
    },
    place: isNamed ? findPlace(given, prints) : undefined,
  }
  const name =
    isNamed && messageName !== undefined ? `client-${await hash({ message: messageName })}` : undefined
  const messageKey =
    isNamed && messageName !== undefined && isUnique(messageName)
      ? await argumentHash({ message: messageName, typed: typedTurns([question]) })
      : undefined
  const streamOptions = isObject(body.stream_options) ? body.stream_options : {}
  const end = given.at(-1)
  return {
    model,
    stream: body.stream === true,
    includeUsage: streamOptions.include_usage === true,
    ...options,
    ignored: [...(hasPlaceholder ? ['headers'] : []), ...options.ignored],
    isForFrontEnd,
    isAlone: !isForFrontEnd && given.every((message) => message === question || message.role === 'system'),
    // A front end's own request is nobody's message: a repetition is never recognised.
    key: await argumentHash(
      isForFrontEnd
        ? { task: crypto.randomUUID() }
        : { caller, agentId, typed: typedTurns(given), message: isNamed ? undefined : messageName },
    ),
    ...(isNamed ? { chat: `openai-${await hash({ caller, conversation })}` } : {}),
    message: name,
    messageKey,
    isTemporary: isTemporary || isForFrontEnd,
    words: wordsOf(question.content),
    answers: findAnswers(given, prints),
    given:
      end?.role !== 'assistant' ? '' : typeof end.content === 'string' ? end.content : wordsOf(end.content),
    reader: withTimeZone(reader, readTimeZone(body.timezone)),
    turn: {
      form: 'json',
      agentId,
      messages: [message],
      decisions: [],
      title: makeTitle({ entry: { ...entry, content: titleParts(entry.content) } }),
      client,
    },
  }
}

/** A name of zeros stands for no message: LibreChat's first ones follow it. */
function isUnique(name: string): boolean {
  return name.length >= shortestUniqueId && /[^0-]/.test(name)
}

async function hash(value: Record<string, unknown>): Promise<string> {
  return (await argumentHash(value)).slice(0, 40)
}

type Parts = Parameters<typeof makeTitle>[0]['entry']['content']

/** Front ends put the context of a message before its words, in blocks like `<context>…</context>`. */
function titleParts(content: Parts): Parts {
  return content.map((part) => {
    if (part.type !== 'text') return part
    const text = String(part.text)
    const words = text.slice(text.lastIndexOf('>\n') + 1).trim()
    return /<\/[\w-]+>\n/.test(text) && words !== '' ? { type: 'text', text: words } : part
  })
}
