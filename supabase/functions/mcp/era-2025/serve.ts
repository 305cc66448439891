// Clients of the revisions before 2026-07-28, which begin sessions and are asked on the streams of their calls. This folder
// may go when they have: look again on 2027-07-28, a year after that revision.
import type { Caller } from '../protocol/caller.ts'
import { makeServer, type ServerParts } from '../protocol/make-server.ts'
import { protocolError } from '../protocol/protocol-error.ts'
import {
  isInitializeRequest,
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCRequest,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '../protocol/sdk.ts'
import { askingOnStream } from './ask-client.ts'
import type { PushedAnswer, PushedRequests } from './pushed-requests.ts'
import { PushingTransport } from './pushing-transport.ts'
import { type Initialized, makeSessionId, readSessionId, sessionHeader } from './session.ts'

/** Serves one POST, of which `message` is the body. */
export async function serve2025(
  request: Request,
  message: unknown,
  caller: Caller,
  parts: ServerParts & { pushed: PushedRequests },
): Promise<Response> {
  const { signed, pushed } = parts
  if (isJSONRPCRequest(message) && isInitializeRequest(message)) {
    const response = await exchange(request, message, undefined, caller, parts)
    response.headers.set(sessionHeader, await makeSessionId(signed, message.params, caller))
    return response
  }
  const id = request.headers.get(sessionHeader)
  if (id === null)
    return protocolError(400, -32_000, `The header ${sessionHeader} is missing: begin with initialize.`)
  const session = await readSessionId(signed, id, caller)
  if (session === undefined)
    return protocolError(404, -32_001, 'This session has ended: begin with initialize.')
  const version = request.headers.get('mcp-protocol-version')
  if (version !== null && !SUPPORTED_PROTOCOL_VERSIONS.includes(version)) {
    const known = SUPPORTED_PROTOCOL_VERSIONS.join(', ')
    return protocolError(
      400,
      -32_000,
      `The revision ${JSON.stringify(version)} is not known here. These are: ${known}.`,
    )
  }
  if (isJSONRPCRequest(message)) return await exchange(request, message, session, caller, parts)
  // A stream that breaks off says the same as a request that is taken back, and reaches the process that works on it.
  if (isJSONRPCNotification(message)) return accepted()
  const answer = readAnswer(message)
  if (answer === undefined) return protocolError(400, -32_600, 'This is not one message of JSON-RPC.')
  if (await pushed.answer(caller, answer.id, answer.answer)) return accepted()
  return protocolError(400, -32_600, 'Nobody waits for this answer.')
}

async function exchange(
  request: Request,
  message: JSONRPCRequest,
  session: Initialized | undefined,
  caller: Caller,
  parts: ServerParts & { pushed: PushedRequests },
): Promise<Response> {
  const transport = new PushingTransport(parts.pushed, caller)
  await makeServer(parts, caller, askingOnStream(transport)).connect(transport)
  if (session) await transport.begin(session)
  return await transport.handleMessage(message, { request })
}

function readAnswer(message: unknown): { id: unknown; answer: PushedAnswer } | undefined {
  if (isJSONRPCResultResponse(message)) return { id: message.id, answer: { result: message.result } }
  if (isJSONRPCErrorResponse(message)) return { id: message.id, answer: { error: message.error } }
  return undefined
}

function accepted(): Response {
  return new Response(null, { status: 202 })
}
