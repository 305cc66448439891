import { canonicalJson } from '../../../../shared/engine/core/canonical-json.ts'
import { systemClock } from '../../../../shared/engine/core/clock.ts'
import { sha256 } from '../../../../shared/engine/core/sha256.ts'
import { asAccountRefused } from '../../../../shared/server/authentication/account.ts'
import { asUnavailable } from '../../../../shared/server/database/ask-database.ts'
import { ApiError } from '../../../../shared/server/http/api-error.ts'
import { logRefusal } from '../../../../shared/server/log/log-refusal.ts'
import { english } from '../../../../shared/words/languages/english.ts'
import { sayRefusal } from '../../../../shared/words/say.ts'
import type { Caller } from './caller.ts'
import { readAnswers } from './read-answers.ts'
import { ProtocolError, ProtocolErrorCode, Server, type ServerContext } from './sdk.ts'
import type { Asking, Exchange, ServedMethod, Service, ToolCall } from './service.ts'
import type { SignedTexts } from './signed-text.ts'

/** What a server of one request is made with. */
export interface ServerParts {
  service: Service
  signed: SignedTexts
  /** Milliseconds after which a stream has its result, whatever is still going on. */
  streamMs: number
}

/** Gets what a service asks for from the client, in whatever way its revision has. */
export type AskClient = (
  asking: Asking,
  again: (answers: Exchange['answers'], state: unknown) => Promise<object>,
  call: {
    context: ServerContext
    endsAt: number
    /** For whoever sends a state to the client. */
    sign: (state: Asking['state']) => Promise<string>
  },
) => Promise<object | undefined>

/** Milliseconds for which clients may keep a list. A tool that was switched off is refused at once all the same. */
const listsKeptMs = 60_000
const kept = { ttlMs: listsKeptMs, cacheScope: 'private' } as const
const cacheHints = {
  'tools/list': kept,
  'prompts/list': kept,
  'resources/list': kept,
  'resources/templates/list': kept,
  'resources/read': { ttlMs: 0, cacheScope: 'private' },
  'server/discover': kept,
} as const

/**
 * The server of one request. Each has its own: nothing of one user is left for another, and it takes 0.1 ms.
 * `ask`: resolves to undefined if the client gives no answer.
 */
export function makeServer(
  { service, signed, streamMs }: ServerParts,
  caller: Caller,
  ask: AskClient,
): Server {
  const { about, capabilities, instructions, methods } = service
  const server = new Server(about, { capabilities, ...(instructions && { instructions }), cacheHints })
  for (const name of Object.keys(methods) as ServedMethod[]) {
    const serve = methods[name] as (params: object, exchange: Exchange) => Promise<object>
    const handle = async (request: { params?: object }, context: ServerContext): Promise<object> => {
      const endsAt = Date.now() + streamMs
      const { _meta, ...params } = (request.params ?? {}) as { _meta?: object }
      const subject = await sha256(canonicalJson({ name, params, agent: caller.agentId ?? null }))
      const exchange: Exchange = {
        ...describeExchange(server, context, caller, endsAt),
        ...{ answers: undefined, state: undefined },
      }
      const sign = (state: Asking['state']) => signed.sign('state', { subject, state }, caller)
      const step = async (answers: Exchange['answers'], state: unknown): Promise<object> => {
        const result = await serve(params, { ...exchange, answers, state })
        if (!('ask' in result)) return result
        return (await ask(result as Asking, step, { context, endsAt, sign })) ?? (await unfinished())
      }
      const unfinished = async () => {
        if (name === 'tools/call') return await service.unfinished(params as ToolCall, exchange)
        throw new ProtocolError(ProtocolErrorCode.InternalError, 'This has not ended in time. Try it again.')
      }
      const sent = context.mcpReq.requestState<string>()
      const state = sent === undefined ? undefined : await readState(signed, sent, caller, subject)
      const work = step(readAnswers(context.mcpReq.inputResponses), state)
      return await inTime(work, endsAt, unfinished)
    }
    server.setRequestHandler(
      name,
      (async (request: { params?: object }, context: ServerContext) =>
        await handle(request, context).catch((error) => {
          // Nobody reads what becomes of it, and it is no fault.
          if (context.mcpReq.signal.aborted) throw new ProtocolError(ProtocolErrorCode.InternalError, 'Gone.')
          throw asProtocolError(error, name)
        })) as never,
    )
  }
  return server
}

function describeExchange(
  server: Server,
  { mcpReq }: ServerContext,
  caller: Caller,
  endsAt: number,
): Omit<Exchange, 'answers' | 'state'> {
  const progressToken = mcpReq._meta?.progressToken
  return {
    caller,
    client: { about: server.getClientVersion(), capabilities: server.getClientCapabilities() ?? {} },
    signal: mcpReq.signal,
    endsAt,
    async tellProgress(progress, total, message) {
      if (progressToken === undefined) return
      const params = {
        progressToken,
        progress,
        ...(total !== undefined && { total }),
        ...(message && { message }),
      }
      await mcpReq.notify({ method: 'notifications/progress', params })
    },
    log: (level, data) => mcpReq.log(level, data),
  }
}

async function readState(
  signed: SignedTexts,
  sent: string,
  caller: Caller,
  subject: string,
): Promise<unknown> {
  const read = await signed.read('state', sent, caller)
  if (read?.subject === subject) return read.state
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Invalid requestState', {
    reason: 'invalid_request_state',
  })
}

/** What `work` resolves to, or what is said instead of it at the end of the stream; it goes on. */
async function inTime(
  work: Promise<object>,
  endsAt: number,
  unfinished: () => Promise<object>,
): Promise<object> {
  let cancel = () => {}
  const end = new Promise<undefined>((resolve) => {
    cancel = systemClock.after(endsAt - Date.now(), () => resolve(undefined))
  })
  try {
    return (await Promise.race([work, end])) ?? (await unfinished())
  } finally {
    cancel()
    work.catch(() => {})
  }
}

/** What is neither a refusal nor the protocol's own may hold a path, a query or a secret. */
function asProtocolError(error: unknown, method: string): unknown {
  if (error instanceof ProtocolError) return error
  const refusal = asUnavailable(asAccountRefused(error))
  logRefusal(refusal, { method, path: '/mcp' })
  const said = refusal instanceof ApiError ? refusal : new ApiError('internal_error', { why: 'request' })
  return new ProtocolError(ProtocolErrorCode.InternalError, sayRefusal(english, said))
}
