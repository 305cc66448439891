import { timeouts } from '../../../../shared/engine/core/timeouts.ts'
import { saidError, ToolCallError, type ToolError } from '../../../../shared/engine/core/tool-error.ts'
import type { ToolSpecification } from '../../../../shared/engine/core/tool-specification.ts'
import { outcomeUnknown } from '../../../../shared/engine/failures/outcome-unknown.ts'
import { titleOf } from '../../../../shared/engine/wording/tool-title.ts'
import type { ForeignTool } from '../../../../shared/integrations/mcp/foreign-tool.ts'
import { compareSeen, seeDefinition } from '../../../../shared/integrations/mcp/seen-definition.ts'
import type { AddFile } from '../../../../shared/server/files/add-file.ts'
import type { IntegrationAction } from '../../../../shared/server/integration-function/integration-action.ts'
import { withoutSecrets } from '../../../../shared/server/integration-function/without-secrets.ts'
import {
  type CallOutcome,
  callTool,
  type ParkedQuestion,
  type ParkedReply,
  type ServerCall,
} from '../protocol/call-tool.ts'
import { hostOf, type NamedServer, type Reach } from '../protocol/named-server.ts'
import { ServerFailure, SignInNeeded } from '../protocol/server-failure.ts'
import { noteBefore, verifyCall } from './find-call.ts'
import type { OpenedTool } from './open-tool.ts'
import { readResult } from './read-result.ts'
import { signInError } from './sign-in-error.ts'
import { type Sender, withToken } from './with-token.ts'

/** What a call is made with besides its tool. */
type Parts = Omit<Reach & Sender, 'signal'> & { addFile: AddFile; serverId: string }

/**
 * The call of a server's tool as an action: the executor begins and settles it as it does those of integrations. `reply`: to
 * what the server has asked before.
 */
export function makeAction(
  { server, tool, specification, definition, verifier }: OpenedTool,
  reply: ParkedReply | undefined,
  { userId, signIns, addFile, serverId, ...reach }: Parts,
): IntegrationAction<Record<string, unknown>> {
  const call = { tool: wireTool(tool), ...(reply && { reply }) }
  /** Also returns what the server was sent, with the token of the user. */
  async function send(sentCall: ServerCall, signal: AbortSignal) {
    let sent = server
    const outcome = await withToken(
      server,
      { userId, signIns },
      (one) => {
        sent = one
        return callTool(one, sentCall, { ...reach, signal })
      },
      isRefused,
    )
    return { outcome, sent }
  }
  const read = async (reader: ForeignTool, args: Record<string, unknown>, signal: AbortSignal) =>
    (await send({ tool: wireTool(reader), arguments: args }, signal)).outcome
  return {
    tool: { specification, action: tool.foreignName },
    compare: compareSeen,
    ...(verifier && { verify: (args, { note }) => verifyCall(verifier, args, note, read) }),
    async run(args, { signal: stopped, requireUnchanged, note }) {
      requireUnchanged?.(await seeDefinition(tool, definition))
      if (verifier) await note(await noteBefore(verifier, args, read))
      // A write goes on even if nobody waits for it any more, so that its outcome is recorded.
      const inTime = AbortSignal.timeout(timeouts.providerMs)
      const signal = specification.effect === 'read' ? AbortSignal.any([stopped, inTime]) : inTime
      const { outcome, sent } = await send({ ...call, arguments: args }, signal)
      const secrets = secretsOf(sent)
      const at = { host: hostOf(server.url), serverId }
      if (outcome.kind !== 'done') return failedAs(outcome, specification, at, secrets)
      return withoutSecrets(await readResult(userId, outcome.result, addFile), secrets)
    },
  }
}

/** As its server knows it; what was imported always takes an object. */
function wireTool({ foreignName, inputSchema }: OpenedTool['tool']): ServerCall['tool'] {
  return { name: foreignName, inputSchema: inputSchema as unknown as ServerCall['tool']['inputSchema'] }
}

/** The server has not taken the token; one that lacks a permission is taken. */
function isRefused(outcome: CallOutcome): boolean {
  return outcome.kind === 'failed' && outcome.failure instanceof SignInNeeded && !outcome.failure.needsMore
}

/** What the tool itself calls a failure. Throws what else has become of a call. */
function failedAs(
  outcome: Exclude<CallOutcome, { kind: 'done' }>,
  specification: ToolSpecification,
  at: { host: string; serverId: string },
  secrets: readonly string[],
): unknown {
  const isWrite = specification.effect === 'write'
  switch (outcome.kind) {
    case 'declined':
      throw new ToolCallError(saidError('cancelled', { code: 'skipped' }))
    case 'refused':
      return failedWith(withoutSecrets(outcome.message, secrets))
    case 'asks':
      throw new ToolCallError(asked(at.host, withoutSecrets(outcome.question, secrets)))
    case 'asked':
      throw new ToolCallError(
        saidError('execution_error', { code: 'server_cannot_wait', values: { server: at.host } }),
      )
    case 'failed':
      throw new ToolCallError(toToolError(outcome.failure, at))
    case 'lost': {
      if (isWrite) throw new ToolCallError(outcomeUnknown({ how: 'begun', tool: titleOf(specification) }))
      if (outcome.failure) throw new ToolCallError(toToolError(outcome.failure, at))
      return failedWith(withoutSecrets(outcome.message ?? '', secrets))
    }
  }
}

/** As a tool says it. */
function failedWith(text: string): unknown {
  return { isError: true, content: [{ type: 'text', text }] }
}

/** Only the user knows the answer, and the server has done nothing yet that it has told. */
function asked(host: string, parked: ParkedQuestion): ToolError {
  const [first] = Object.values(parked.requests)
  const message = typeof first?.params?.message === 'string' ? first.params.message : undefined
  return saidError(
    'missing_parameter',
    { code: 'server_asks', values: { server: host, message } },
    { resolver: 'user', details: { parked } },
  )
}

/** A server that is away may come back; what else is wrong with it nobody in the conversation can change. */
function toToolError(
  failure: ServerFailure | SignInNeeded,
  { host, serverId }: { host: string; serverId: string },
): ToolError {
  const { said } = failure
  if (!(failure instanceof ServerFailure)) return signInError(host, serverId)
  const { retryAfterMs } = failure
  const status = Number(said.values?.status)
  if (status === 429) return saidError('rate_limit_exceeded', said, { retryAfterMs })
  if (failure.why === 'unreachable' || status >= 500) return saidError('unavailable', said, { retryAfterMs })
  if (failure.why === 'slow') return saidError('timeout', said)
  return saidError('execution_error', said)
}

/** What a server was sent besides the call, which it may repeat. */
export function secretsOf({ headers = {}, token }: NamedServer): string[] {
  const values = Object.values(headers).flatMap((value) => [value, value.replace(/^\w+ +/, '')])
  return [...values, ...(token === undefined ? [] : [token])]
}
