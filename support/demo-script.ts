import { answerAsDemo } from '../local/demo/answer.ts'
import type { ChatMessage } from '../shared/engine/models/protocol/model-client.ts'
import type { ModelServerReply } from './model-reply.ts'
import { callTools, say } from './model-reply.ts'
import type { ModelServerRequest } from './model-server.ts'

/** Answers like the demo model, but for messages that have an answer of their own. */
export function demoScript(
  own: Record<string, () => ModelServerReply | Promise<ModelServerReply>>,
): (request: ModelServerRequest) => ModelServerReply | Promise<ModelServerReply> {
  return ({ body }) => {
    const messages = body.messages as ChatMessage[]
    const said = messages.findLast(({ role }) => role === 'user')?.content
    const asked = typeof said === 'string' ? said : JSON.stringify(said)
    const reply = Object.entries(own).find(([words]) => asked.includes(words))?.[1]
    if (reply) return reply()
    const answer = answerAsDemo(
      messages,
      (body.tools ?? []).filter((tool) => tool.type === 'function'),
    )
    if ('text' in answer) return say(answer.text)
    return callTools(answer.calls.map(({ name, arguments: args }) => [name, args]))
  }
}
