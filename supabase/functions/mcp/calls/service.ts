import { withoutMark } from '../../../../shared/engine/core/question-mark.ts'
import type {
  CallAnswer,
  CallRequest,
  ClientTool,
  WaitingCall,
} from '../../../../shared/server/client-calls/client-call.ts'
import type { CallRpc } from '../../../../shared/server/database/call-rpc.ts'
import { keepAlive } from '../../../../shared/server/http/keep-alive.ts'
import { writeLog } from '../../../../shared/server/log/log-line.ts'
import { version } from '../../../../shared/server/version.ts'
import type { Caller } from '../protocol/caller.ts'
import { ProtocolError, ProtocolErrorCode } from '../protocol/sdk.ts'
import type { Asking, Exchange, Service, ToolCall } from '../protocol/service.ts'
import { askAgent } from './ask-agent.ts'
import { toResult, unfinishedResult } from './call-result.ts'
import { type Chat, ChatRefused } from './chat.ts'
import { readReply } from './read-reply.ts'

/** Milliseconds of a stream that are left to say how far it got. */
const leftMs = 4000

/** What clients get: the tools of an agent, each call carried out once by the function `chat`. */
export function createService(chat: Chat, rpc: CallRpc): Service {
  /** What the client of an exchange is being asked, for when it gives no answer. */
  const asked = new WeakMap<AbortSignal, WaitingCall>()

  /** A client that still listens gets it: an equal call after this is another one. */
  function noteTold(answer: CallAnswer, { caller: { userId }, signal }: Exchange): void {
    if ((answer.kind !== 'done' && answer.kind !== 'failed') || signal.aborted) return
    const args = { p_user_id: userId, p_conversation_id: answer.conversationId }
    keepAlive(rpc('note_call_told', args).catch((error) => writeLog('call-not-noted', {}, error)))
  }

  return {
    about: { name: 'askback', title: 'Askback', version },
    instructions:
      'Each call is carried out once. If a result says that the user has to decide, tell them so with its link, and do not call again.',
    capabilities: { tools: {} },
    methods: {
      'tools/list': async (_, { caller, signal }) => {
        const { tools } = await chat.tools(whose(caller), signal).catch(asProtocol)
        const isGranted = caller.granted?.tools.includes(askAgent.name) ?? true
        const isFree = isGranted && tools.every(({ name }) => name !== askAgent.name)
        return { tools: [...tools.map(describe), ...(isFree ? [askAgent] : [])] }
      },
      'tools/call': async (call, exchange) => {
        const request = toRequest(call, exchange)
        const answer = await chat.call(request, exchange.signal).catch(asFailed)
        noteTold(answer, exchange)
        if (answer.kind !== 'waits' || answer.ask === undefined) return toResult(answer)
        asked.set(exchange.signal, answer)
        return toAsking(answer, answer.ask)
      },
    },
    unfinished: (_, { signal }) => {
      const waiting = asked.get(signal)
      return waiting ? toResult(waiting) : unfinishedResult()
    },
  }
}

function toRequest({ name, arguments: args = {} }: ToolCall, exchange: Exchange): CallRequest {
  const { caller, client, endsAt } = exchange
  const { elicitation } = client.capabilities
  const reply = readReply(exchange)
  return {
    ...whose(caller),
    program: {
      name: (client.about?.name ?? 'unknown').slice(0, 200),
      ...(client.about?.version && { version: client.about.version.slice(0, 200) }),
    },
    tool: name.slice(0, 200),
    arguments: args,
    canAsk: {
      // Without details it is forms: they came first.
      form: elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined),
      url: elicitation?.url !== undefined,
    },
    waitMs: Math.max(endsAt - Date.now() - leftMs, 0),
    ...(reply && { reply }),
  }
}

function whose({ userId, agentId, granted, grant }: Caller) {
  return { userId, grantKey: grant, ...(agentId && { agentId }), ...(granted && { grantId: granted.id }) }
}

function describe({ name, title, description, parameters, effect, isDestructive }: ClientTool) {
  return {
    name,
    title,
    description,
    inputSchema: { ...parameters, type: 'object' as const },
    annotations: {
      title,
      readOnlyHint: effect === 'read',
      ...(effect === 'write' && { destructiveHint: isDestructive }),
    },
  }
}

/** The client's own form or link for what a call waits for. */
function toAsking(
  { conversationId, itemId, question, href = '' }: WaitingCall,
  ask: NonNullable<WaitingCall['ask']>,
): Asking {
  // A person reads it, not a model.
  const asked = withoutMark(question)
  const params =
    ask.mode === 'form'
      ? { mode: 'form', message: ask.message ?? asked, requestedSchema: ask.schema }
      : { mode: 'url', message: asked, url: href }
  const request = { method: 'elicitation/create', params } as Asking['ask'][string]
  return { ask: { item: request }, state: { conversationId, itemId } }
}

/** The words of a refusal are for the client's model, like those of a call that failed. */
function asFailed(error: unknown): CallAnswer {
  if (!(error instanceof ChatRefused)) throw error
  return { kind: 'refused', text: error.message }
}

/** The words of a refusal are for the client; of any other fault it reads nothing. */
function asProtocol(error: unknown): never {
  if (error instanceof ChatRefused) throw new ProtocolError(ProtocolErrorCode.InternalError, error.message)
  throw error
}
