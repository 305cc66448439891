import { gate } from './gate.ts'
import { type ModelServerReply, say } from './model-reply.ts'
import type { ModelServer } from './model-server.ts'

/** Gives a model its next replies. The one of that number, counted from 1, waits until it is released. */
export function replyLate(model: ModelServer, replies: readonly ModelServerReply[], number = 1) {
  const { opened, open } = gate()
  const seen = model.requests.length
  model.use(async (request) => {
    if (request.number - seen === number) await opened
    return replies[request.number - seen - 1] ?? say('…')
  })
  return { arrived: model.waitForRequest(seen + number), release: open }
}
