import { argumentHash } from '../../../../shared/engine/core/canonical-json.ts'
import { isObject } from '../../../../shared/engine/core/json-value.ts'
import { typedWords } from '../../../../shared/engine/transcript/user-content.ts'
import type { TurnRequest } from '../request/turn-request.ts'
import { makeTitle, readUserMessage } from '../request/user-message.ts'
import { readOptions, refuseToolResults } from './completion-options.ts'
import { projectEarlier, readGivenMessages } from './earlier-messages.ts'
import { isFrontEndRequest } from './front-end-requests.ts'
import { readParts } from './given-parts.ts'
import { ParameterError } from './openai-error.ts'

/** What `POST chat/completions` asks for. */
export interface CompletionRequest {
  /** The id of an agent. */
  model: string
  stream: boolean
  includeUsage: boolean
  /** A front end asks for itself: for a title and the like. */
  isForFrontEnd: boolean
  /** Tokens that the client takes of each answer. */
  maxAnswerTokens?: number
  /** What of the request is not heard, for the header `x-askback-ignored`. */
  ignored: string[]
  /** The same request has the same conversation and message, so that the database knows it when it comes again. */
  turn: TurnRequest & { conversationId: string }
}

/** Reads the body. Its `tools` are not ours to call, and sampling is the agent's: both are ignored. Throws ApiError 400 or 413. */
export async function readCompletionRequest(body: unknown): Promise<CompletionRequest> {
  if (!isObject(body)) throw new ParameterError('messages', 'Send a JSON object with "model" and "messages".')
  const { model } = body
  if (typeof model !== 'string' || model === '') {
    throw new ParameterError('model', '"model" is missing: the id of an agent, as GET models lists them.')
  }
  const { client, ...options } = readOptions(body)
  const given = readGivenMessages(body.messages)
  const last = given.findLastIndex(({ role }) => role === 'user')
  const question = given[last]
  if (!question) throw new ParameterError('messages', '"messages" holds no message of the user to answer.')
  refuseToolResults(body.messages)
  const agentId = model.toLowerCase()
  const key = await argumentHash({ agentId, messages: given })
  const { entry } = readUserMessage({ parts: readParts(question.content) })
  // Some front ends put instructions behind what the user has said.
  const late = given.slice(last + 1).filter(({ role }) => role === 'system')
  const earlier = projectEarlier([...given.slice(0, last), ...late])
  const instructions = earlier.flatMap(({ role, content }) => (role === 'system' ? [String(content)] : []))
  const message = { id: key, entry: { ...entry, ...(earlier.length > 0 ? { earlier } : {}) } }
  const streamOptions = isObject(body.stream_options) ? body.stream_options : {}
  return {
    model,
    stream: body.stream === true,
    includeUsage: streamOptions.include_usage === true,
    ...options,
    isForFrontEnd: isFrontEndRequest(typedWords(entry.content), instructions),
    turn: {
      form: 'json',
      conversationId: `openai-${key.slice(0, 40)}`,
      agentId,
      messages: [message],
      decisions: [],
      title: makeTitle(message),
      ...(client ? { client } : {}),
    },
  }
}
