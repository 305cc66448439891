import { withoutSecrets } from '../../../../shared/server/integration-function/without-secrets.ts'
import type { ToolsAnswer } from '../../../../shared/server/server-calls/server-call.ts'
import { listTools } from '../protocol/list-tools.ts'
import type { NamedServer, Reach } from '../protocol/named-server.ts'
import { ServerFailure, SignInNeeded } from '../protocol/server-failure.ts'
import { secretsOf } from './make-action.ts'
import { type Sender, withToken } from './with-token.ts'

/** What a server says of itself and its tools to a user, without what it was sent, or why there is nothing. */
export async function listServer(server: NamedServer, reach: Reach & Sender): Promise<ToolsAnswer> {
  return await withToken(
    server,
    reach,
    (sent) => list(sent, reach),
    ({ kind }) => kind === 'sign_in',
  )
}

async function list(server: NamedServer, { allowLoopback, answerMs, signal }: Reach): Promise<ToolsAnswer> {
  try {
    const listed = await listTools(server, { allowLoopback, signal, ...(answerMs && { answerMs }) })
    return withoutSecrets<ToolsAnswer>({ kind: 'listed', ...listed }, secretsOf(server))
  } catch (failure) {
    if (failure instanceof ServerFailure) return { kind: 'unusable', said: failure.said }
    if (!(failure instanceof SignInNeeded)) throw failure
    const { said, challenge } = failure
    return { kind: 'sign_in', said, challenge }
  }
}
