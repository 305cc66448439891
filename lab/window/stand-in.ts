import type { ChatMessage } from '../../shared/engine/models/protocol/model-client.ts'
import { refusals } from './refusals.ts'
import type { Tokenizer } from './tokenizer.ts'

/** A request as it arrived. */
export interface Arrived {
  messages: ChatMessage[]
  tools: { function: { name: string } }[]
  /** By the tokenizer. */
  tokens: number
  isRefused: boolean
  /** The server left out its beginning. */
  isCut: boolean
}

/** What the model answers: words, or a call. */
export type Reply = { text: string } | { name: string; args: Record<string, unknown> }

export interface StandIn {
  fetch: typeof fetch
  arrived: Arrived[]
}

/** A model server in this process with a window in tokens. `words`: of which provider it refuses in; `silent`: it cuts. */
export function startStandIn(
  window: number,
  words: string,
  count: Tokenizer,
  answer: (arrived: Arrived) => Reply,
): StandIn {
  const arrived: Arrived[] = []
  const counted = new Map<string, number>()
  const tokensOf = (text: string): number => {
    const known = counted.get(text) ?? count(text)
    counted.set(text, known)
    return known
  }
  const respond = (init: RequestInit | undefined): Response => {
    if (init?.body === undefined) return Response.json({ object: 'list', data: [] })
    const body = JSON.parse(String(init.body)) as Pick<Arrived, 'messages'> & { tools?: Arrived['tools'] }
    const { messages, tools = [] } = body
    const tokens =
      messages.reduce((sum, message) => sum + 4 + tokensOf(textOf(message)), 3) +
      tokensOf(JSON.stringify(tools))
    const isOver = tokens > window
    const isSilent = words === 'silent'
    const request = { messages, tools, tokens, isRefused: isOver && !isSilent, isCut: isOver && isSilent }
    arrived.push(request)
    const refusal = refusals[words]
    if (request.isRefused && refusal)
      return Response.json(refusal.body(window, tokens), { status: refusal.status })
    return Response.json(completion(answer(request), Math.min(tokens, window)))
  }
  return { arrived, fetch: async (_url, init) => respond(init) }
}

/** Everything that a template puts into the prompt. */
function textOf(message: ChatMessage): string {
  const { content } = message
  const words =
    typeof content === 'string'
      ? content
      : content === null || content === undefined
        ? ''
        : JSON.stringify(content)
  const calls = message.role === 'assistant' && message.tool_calls ? JSON.stringify(message.tool_calls) : ''
  const id = message.role === 'tool' ? message.tool_call_id : ''
  return `${words}${calls}${id}`
}

function completion(reply: Reply, prompt: number) {
  const message =
    'text' in reply
      ? { role: 'assistant', content: reply.text }
      : {
          role: 'assistant',
          content: null,
          tool_calls: [
            {
              id: 'call_1',
              type: 'function',
              function: { name: reply.name, arguments: JSON.stringify(reply.args) },
            },
          ],
        }
  return {
    choices: [{ index: 0, message, finish_reason: 'text' in reply ? 'stop' : 'tool_calls' }],
    usage: { prompt_tokens: prompt, completion_tokens: 20, total_tokens: prompt + 20 },
  }
}
