import { z } from 'zod'
import type { AskClient } from '../protocol/make-server.ts'
import { readAnswers } from '../protocol/read-answers.ts'
import type { InputRequest } from '../protocol/sdk.ts'
import type { PushingTransport } from './pushing-transport.ts'

/** How often one call may ask: a service that never has enough would ask until the stream ends. */
const mostRounds = 8
/** Milliseconds of a stream that are left to say that nobody has answered. */
const leftMs = 100

/** What a call asks about, as far as it is an open item. */
const aboutItem = z.object({ itemId: z.string() })

/** Asks on the stream of the call, all at once, and carries the call on with the answers. */
export function askingOnStream(transport: Pick<PushingTransport, 'itemId'>): AskClient {
  let rounds = 0
  return async ({ ask, state }, again, { context, endsAt }) => {
    if (++rounds > mostRounds) return undefined
    transport.itemId = aboutItem.safeParse(state).data?.itemId
    const timeout = Math.max(endsAt - Date.now() - leftMs, 1)
    const given = await Promise.all(
      Object.entries(ask).map(async ([name, request]) => {
        const answer = await context.mcpReq.send(withElicitationId(request), { timeout })
        return [name, answer] as const
      }),
    ).catch(() => undefined)
    return given && (await again(readAnswers(Object.fromEntries(given)), state))
  }
}

/** The revisions of 2025 want each link to have an id. */
function withElicitationId({ method, params }: InputRequest) {
  const isLink = method === 'elicitation/create' && params.mode === 'url'
  return { method, params: { ...params, ...(isLink && { elicitationId: crypto.randomUUID() }) } }
}
