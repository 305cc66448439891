import { Hono } from 'hono'
import { prepareToolCall } from '../../engine/calls/prepare-tool-call.ts'
import type { PreparedCall } from '../../engine/calls/prepared-call.ts'
import { argumentHash } from '../../engine/core/canonical-json.ts'
import type { ToolModelUse } from '../../engine/core/tool-specification.ts'
import { compileTool } from '../../engine/schema/compile-schema.ts'
import type { Integration } from '../../integrations/definition/integration.ts'
import { asAccountRefused, requireAccount } from '../authentication/account.ts'
import { authenticateCaller, authenticateUser, type Identity } from '../authentication/authenticate.ts'
import { requireTicketFor } from '../authentication/internal-ticket.ts'
import { readProjectRules, underRules } from '../authentication/project-rules.ts'
import { type Environment, readProjectSettings } from '../authentication/project-settings.ts'
import type { VerifyUserToken } from '../authentication/user-token.ts'
import { asUnavailable } from '../database/ask-database.ts'
import { createRpc } from '../database/call-rpc.ts'
import { createFileStore } from '../files/file-store.ts'
import { createBucket } from '../files/storage-bucket.ts'
import { ApiError } from '../http/api-error.ts'
import { crossOrigin } from '../http/cross-origin.ts'
import { errorResponse } from '../http/error-response.ts'
import { readJson } from '../http/read-body.ts'
import { noApp, readAppUrls } from '../links/app-urls.ts'
import { logRefusal } from '../log/log-refusal.ts'
import { readOAuthServers } from '../oauth/oauth-server.ts'
import { refusalLanguage } from '../reader/readers-language.ts'
import { type ActionRequest, readActionRequest } from './action-request.ts'
import { createExecutor, type ExecutionSettings } from './execute-action.ts'
import type { Implementation, IntegrationAction } from './integration-action.ts'
import { modelUseHeaders } from './model-use.ts'
import { findSwitchedOff } from './switched-off.ts'
import { providerIdsOf } from './tool-connections.ts'
import { tryConnection } from './try-connection.ts'

/** The external dependencies of an integration function. */
export interface IntegrationDependencies extends ExecutionSettings {
  verify: VerifyUserToken
  functionSecret: string | undefined
}

/** Reads the environment of an integration function; throws an Error that names a missing variable. */
function readIntegrationDependencies(env: Environment): IntegrationDependencies {
  const { url, serviceKey, verify, functionSecret } = readProjectSettings(env)
  const rpc = underRules(createRpc({ url, serviceKey }), readProjectRules(env))
  const credentialsKeys = env.ASKBACK_CREDENTIALS_KEYS
  return {
    verify,
    functionSecret,
    rpc,
    credentialsKeys,
    files: createFileStore(rpc, createBucket({ url, serviceKey })),
    oauthServers: readOAuthServers(env),
    appUrls: readAppUrls(env),
  }
}

/** Bytes of a request: 10 MiB of attachments in base64, and texts. */
const maxBodyBytes = 16 * 1024 * 1024

/**
 * An integration function without its actions: `POST /{name}` with `{ action, agentId?, params, idempotencyKey?,
 * freePlaces?, seen? }` answers a ToolResult with HTTP 200, and 4xx only to an invalid caller. With `look: true` it only
 * looks at what the effect depends on: `{ ok: true, data: { look } }`, a Look or null. With `verify: true` it asks the
 * provider whether that write has happened: `{ ok: true, data: { verification } }`. `POST /{name}/test-connection` with
 * `{ provider, values }` signs in with values without storing them: `{ ok: true, data: { account? } }`.
 */
export function createIntegrationApp(
  integration: Integration,
  { actions, findAction, testConnection = {} }: Implementation,
  dependencies: IntegrationDependencies,
): Hono {
  const { name, providers } = integration
  const byName = new Map(actions.map((action) => [action.tool.action, action]))
  const executor = createExecutor(providers, dependencies)
  const app = new Hono({ strict: false }).basePath(`/${name}`)

  app.use(crossOrigin((dependencies.appUrls ?? noApp).callers))
  app.onError(async (error, c) => {
    const refusal = asUnavailable(asAccountRefused(error))
    logRefusal(refusal, c.req)
    const language = await refusalLanguage(dependencies.rpc, undefined, c.req.raw, refusal)
    return errorResponse(refusal, 'json', language)
  })
  app.notFound((c) =>
    errorResponse(
      new ApiError('not_found', { method: c.req.method, path: c.req.path, instead: `POST /${name}` }),
      'json',
    ),
  )

  app.post('/', async (c) => {
    const caller = await authenticateCaller(c.req.raw, dependencies)
    const request = readActionRequest(await readJson(c.req.raw, maxBodyBytes))
    const action = byName.get(request.action) ?? (await findAction?.(request.action))
    if (!action) {
      throw new ApiError('unknown_action', { action: request.action, known: [...byName.keys()] })
    }
    const hash = await argumentHash(request.params)
    const { agentId, scope, idempotencyKey, freePlaces, seen, look } = request
    const tool = action.tool.specification.name
    const seenHash = seen && (await argumentHash(seen))
    requireAuthority(caller, { agentId, tool, argumentHash: hash, idempotencyKey, seenHash, look })
    const prepared = prepareCall(action, request)
    if (!prepared.ok) return c.json(prepared.error)
    const uses: ToolModelUse[] = []
    const call = {
      userId: caller.userId,
      agentId: agentId || undefined,
      scope: scope || undefined,
      idempotencyKey: idempotencyKey || undefined,
      freePlaces,
      seen,
      token: caller.kind === 'user' ? caller.token : undefined,
      clientId: caller.kind === 'ticket' ? caller.ticket.clientId : undefined,
      hasSecondFactor: caller.kind === 'user' && caller.hasSecondFactor ? (true as const) : undefined,
      args: prepared.args,
      argumentHash: hash,
      signal: c.req.raw.signal,
      usedModel: (use: ToolModelUse) => uses.push(use),
    }
    if (look) return c.json({ ok: true, data: { look: (await executor.look(action, call)) ?? null } })
    if (!request.verify) {
      const off =
        byName.get(request.action) &&
        isUnasked(action) &&
        (await findSwitchedOff(dependencies.rpc, action.tool))
      if (off) return c.json(off)
      const result = await executor.execute(action, call)
      return c.json(result, 200, modelUseHeaders(uses))
    }
    return c.json({ ok: true, data: { verification: await executor.verify(action, call) } })
  })

  app.post('/test-connection', async (c) => {
    const { userId } = await authenticateUser(c.req.raw, dependencies.verify)
    await requireAccount(dependencies.rpc, userId)
    const body = await readJson(c.req.raw, maxBodyBytes)
    return c.json(await tryConnection(body, { providers, testConnection }, c.req.raw.signal))
  })

  return app
}

/**
 * The same check as before the call, because not every caller is our agent; its questions come from the schema.
 * Valid arguments need no preparation, however large they are.
 */
function prepareCall({ tool }: IntegrationAction, { params }: ActionRequest): PreparedCall {
  const { specification } = tool
  if (compileTool(specification).isValid(params)) {
    return { ok: true, tool: specification, args: params, repairs: [] }
  }
  return prepareToolCall({
    name: specification.name,
    rawArguments: JSON.stringify(params),
    tools: [specification],
  })
}

/** For writes, tools that need a connection and looked-up tools, the database reports that they are switched off. */
function isUnasked({ tool }: IntegrationAction): boolean {
  return tool.specification.effect === 'read' && providerIdsOf(tool).length === 0
}

function requireAuthority(caller: Identity, call: Parameters<typeof requireTicketFor>[1]): void {
  if (caller.kind === 'ticket') requireTicketFor(caller.ticket, call)
}

/** The app that `index.ts` of an integration serves. Throws an Error that names a missing variable. */
export function createFunctionApp(
  integration: Integration,
  createActions: (env: Environment) => Implementation,
  env: Environment,
): Hono {
  return createIntegrationApp(integration, createActions(env), readIntegrationDependencies(env))
}
