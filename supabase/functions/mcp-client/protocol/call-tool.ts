import { isObject } from '../../../../shared/engine/core/json-value.ts'
import { bodyLimits } from '../../../../shared/engine/core/outside-body.ts'
import { mayOpen } from '../../../../shared/integrations/network/pinned-fetch.ts'
import type { AnswerNow } from './asked-2025.ts'
import type { NamedServer, Reach } from './named-server.ts'
import { type OpenServer, openServer } from './open-server.ts'
import { type CallToolResult, ProtocolError, type Tool } from './sdk.ts'
import { ServerFailure, SignInNeeded } from './server-failure.ts'

/** A call of a tool, or the answer to what its server asked before. */
export interface ServerCall {
  /** As it was accepted: its name is the one that is called, exactly. */
  tool: Pick<Tool, 'name' | 'inputSchema'>
  arguments: Record<string, unknown>
  reply?: ParkedReply
}

/** A question of a server as it is stored: whoever answers it needs nothing else. */
export interface ParkedQuestion {
  /** Unchanged back to the server; absent if it needs none. */
  state?: string
  /** By their keys. */
  requests: Record<string, { method: string; params?: Record<string, unknown> }>
}

/** The answer to such a question. */
export interface ParkedReply {
  state?: string
  responses: Record<string, unknown>
}

/** How a call ended. */
export type CallOutcome =
  /** Also if the tool says that it failed (`isError`). */
  | { kind: 'done'; result: CallToolResult }
  /** The server asks something first, and goes on when it is called with the answer. */
  | { kind: 'asks'; question: ParkedQuestion }
  /** It asked something in the middle of the call, and nobody was there. */
  | { kind: 'asked'; message: string; result: CallToolResult }
  /** The user has not done what it asks, and it can only be called again as if they had. Nothing was done. */
  | { kind: 'declined' }
  /** The protocol's own error: nothing was done. */
  | { kind: 'refused'; message: string }
  /** Nobody knows whether it was done: its answer was lost, or says only that something went wrong. */
  | { kind: 'lost'; message?: string; failure?: ServerFailure }
  /** It was not done. */
  | { kind: 'failed'; failure: ServerFailure | SignInNeeded }

/**
 * Calls one tool with one request, which is never repeated: once it may have arrived, a lost answer is `lost`. Never rejects
 * because of the server.
 */
export async function callTool(
  server: NamedServer,
  call: ServerCall,
  reach: Reach,
  answer?: AnswerNow,
): Promise<CallOutcome> {
  const signal = AbortSignal.any([reach.signal, AbortSignal.timeout(bodyLimits.mcpServer.ms)])
  let open: OpenServer
  try {
    open = await openServer(server, { ...reach, signal }, { ...(answer && { answer }) })
  } catch (failure) {
    if (failure instanceof ServerFailure || failure instanceof SignInNeeded)
      return { kind: 'failed', failure }
    throw failure
  }
  try {
    return await send(open, call, { ...reach, signal })
  } finally {
    await open.close()
  }
}

async function send(
  open: OpenServer,
  call: ServerCall,
  { signal, allowLoopback }: Reach,
): Promise<CallOutcome> {
  const { tool, arguments: args, reply } = call
  const { client, asked } = open
  const isModern = client.getProtocolEra() === 'modern'
  if (reply && !isModern && !isAccepted(reply)) return { kind: 'declined' }
  try {
    const result = await client.callTool(
      {
        name: tool.name,
        arguments: args,
        ...(isModern && reply ? answering(reply) : {}),
      },
      {
        // Without it the SDK would look for one, and call again. What a tool returns is not measured by what it has promised.
        toolDefinition: { name: tool.name, inputSchema: tool.inputSchema },
        allowInputRequired: true,
        timeout: bodyLimits.mcpServer.ms,
        signal,
      },
    )
    const question = readQuestion(result)
    if (question) return asks(open.url, question, allowLoopback)
    const unanswered = asked.unanswered()
    return unanswered ? { kind: 'asked', message: unanswered.message, result } : { kind: 'done', result }
  } catch (cause) {
    if (cause instanceof ProtocolError) return judge(open.url, cause, allowLoopback)
    const failure = open.failure(cause)
    if (failure instanceof SignInNeeded) return { kind: 'failed', failure }
    return failure.isHarmless ? { kind: 'failed', failure } : { kind: 'lost', failure }
  }
}

/** Errors of JSON-RPC and MCP that a server finds before it does anything. Any other one may come out of the tool. */
const beforehand = new Set([-32_700, -32_600, -32_601, -32_602, -32_020, -32_021, -32_022])

/** Before 2026-07-28: pages to open first, and then the same call again. */
const pagesFirst = -32_042

function judge(url: string, { code, message, data }: ProtocolError, allowLoopback: boolean): CallOutcome {
  if (code === pagesFirst && isObject(data) && Array.isArray(data.elicitations)) {
    const pages = data.elicitations
      .filter(isObject)
      .map((params, index) => [
        String(params.elicitationId ?? index),
        { method: 'elicitation/create', params: { ...params, mode: 'url' } },
      ])
    return asks(url, { requests: Object.fromEntries(pages) }, allowLoopback)
  }
  return { kind: beforehand.has(code) ? 'refused' : 'lost', message }
}

/** Only people are asked: no model, and no folders. A page that they are sent to is one that may be opened. */
function asks(url: string, question: ParkedQuestion, allowLoopback: boolean): CallOutcome {
  const requests = Object.values(question.requests)
  const fault = (why: 'asks_more' | 'link'): CallOutcome => ({
    kind: 'failed',
    failure: new ServerFailure(url, why, { isHarmless: true }),
  })
  if (requests.some(({ method }) => method !== 'elicitation/create')) return fault('asks_more')
  const links = requests.flatMap(({ params }) => (params?.mode === 'url' ? [String(params.url)] : []))
  return links.every((link) => mayOpen(link, allowLoopback)) ? { kind: 'asks', question } : fault('link')
}

function isAccepted({ responses }: ParkedReply): boolean {
  return Object.values(responses).every((one) => isObject(one) && one.action === 'accept')
}

function answering({ responses, state }: ParkedReply) {
  return { inputResponses: responses as never, ...(state === undefined ? {} : { requestState: state }) }
}

function readQuestion(result: unknown): ParkedQuestion | undefined {
  const {
    resultType,
    inputRequests = {},
    requestState,
  } = result as {
    resultType?: string
    inputRequests?: ParkedQuestion['requests']
    requestState?: string
  }
  if (resultType !== 'input_required') return undefined
  return { requests: inputRequests, ...(requestState === undefined ? {} : { state: requestState }) }
}
