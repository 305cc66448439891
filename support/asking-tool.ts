import type { ServerReply } from '../shared/engine/core/server-question.ts'
import { saidError, ToolCallError } from '../shared/engine/core/tool-error.ts'
import { recordingTool } from './agent-scenario.ts'

type Asks = Record<string, { method: string; params: Record<string, unknown> }>

/** A request of MCP for a form. */
export const formRequest = (
  message: string,
  properties: Record<string, unknown>,
  required: string[] = [],
) => ({
  method: 'elicitation/create',
  params: { mode: 'form', message, requestedSchema: { type: 'object', properties, required } },
})

/** A request of MCP to open a page. */
export const pageRequest = (message: string, url: string) => ({
  method: 'elicitation/create',
  params: { mode: 'url', message, url, elicitationId: 'e1' },
})

/** The error of `mcp-client` for a server that asks. */
export const serverAsks = (requests: Asks, state?: string) =>
  saidError(
    'missing_parameter',
    {
      code: 'server_asks',
      values: { server: 'example.com', message: Object.values(requests)[0]?.params.message },
    },
    { resolver: 'user', details: { parked: { requests, ...(state === undefined ? {} : { state }) } } },
  )

/**
 * A write of a server of MCP: `answer` says for each attempt, with what the user has answered, what the server asks next;
 * undefined once it is done.
 */
export function askingTool(
  answer: (reply: ServerReply | undefined, attempt: number) => { requests: Asks; state?: string } | undefined,
  more: Partial<Parameters<typeof recordingTool>[0]> = {},
) {
  const replies: (ServerReply | undefined)[] = []
  const text = { type: 'string' }
  const tool = recordingTool({
    name: 'trips__book',
    title: 'Book a trip',
    effect: 'write',
    private: true,
    parameters: { type: 'object', properties: { to: text }, required: ['to'] },
    ...more,
    execute: (_, { reply }) => {
      replies.push(reply)
      const asks = answer(reply, replies.length)
      if (asks) throw new ToolCallError(serverAsks(asks.requests, asks.state))
      return { booked: true }
    },
  })
  return { ...tool, replies }
}
