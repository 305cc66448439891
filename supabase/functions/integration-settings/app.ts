import { type Context, Hono } from 'hono'
import { deleteAccount } from '../../../shared/api/account.ts'
import {
  createApiToken,
  listApiTokens,
  revokeApiToken,
  revokeApiTokens,
} from '../../../shared/api/api-token.ts'
import {
  changeConnection,
  createConnection,
  listProviders,
  removeConnection,
  testConnection,
} from '../../../shared/api/connection.ts'
import { changeMcpGrant, listMcpGrants, makeMcpGrant, revokeMcpGrant } from '../../../shared/api/mcp-grant.ts'
import * as serverRoutes from '../../../shared/api/mcp-server.ts'
import { readReader } from '../../../shared/api/reader.ts'
import { completeSignIn, receiveSignIn, startSignIn } from '../../../shared/api/sign-in.ts'
import { askedInEnglish } from '../../../shared/engine/core/asked.ts'
import { asAccountRefused, requireAccount } from '../../../shared/server/authentication/account.ts'
import { authenticateUser } from '../../../shared/server/authentication/authenticate.ts'
import { createRouteGuard } from '../../../shared/server/authentication/second-factor.ts'
import { asUnavailable } from '../../../shared/server/database/ask-database.ts'
import { ApiError } from '../../../shared/server/http/api-error.ts'
import { crossOrigin } from '../../../shared/server/http/cross-origin.ts'
import { errorResponse } from '../../../shared/server/http/error-response.ts'
import { serveRoutes } from '../../../shared/server/http/serve-routes.ts'
import { logRefusal } from '../../../shared/server/log/log-refusal.ts'
import {
  type Refused,
  readersLanguage,
  refusalLanguage,
} from '../../../shared/server/reader/readers-language.ts'
import { sayRefusal } from '../../../shared/words/say.ts'
import { makeToken, listApiTokens as readApiTokens, revokeToken, revokeTokens } from './api-tokens.ts'
import { listProviders as readProviders } from './catalogue.ts'
import { RefusedValues } from './check-values.ts'
import { createSignInCompletion } from './complete-sign-in.ts'
import { createConnections } from './connections.ts'
import { createAccountDeletion } from './delete-account.ts'
import type { SettingsDependencies } from './dependencies.ts'
import { changeGrant, makeGrant, readGrants, revokeGrant } from './mcp-grants.ts'
import { asInSettings, sayConnection, sayProvider, sayTested } from './provider-words.ts'
import { createServers } from './servers.ts'
import { showProvider } from './show-connection.ts'
import { showChanges, showServer } from './show-server.ts'
import { createSignIn } from './sign-in.ts'

/** Bytes of a request: credentials are short. */
const maxBodyBytes = 256 * 1024

/** The routes of the integration settings. Every request except the provider's callback comes from its user. */
export function createApp(dependencies: SettingsDependencies): Hono<{ Variables: Refused }> {
  const { verify, rpc, oauthServers } = dependencies
  const connections = createConnections(dependencies)
  const signIn = createSignIn(dependencies)
  const completion = createSignInCompletion(dependencies, connections)
  const servers = createServers(dependencies)
  const removeAccount = createAccountDeletion(dependencies, connections, servers)
  const app = new Hono<{ Variables: Refused }>({ strict: false })
  const owner = async (c: Context) => {
    const user = await authenticateUser(c.req.raw, verify)
    c.set('userId', user.userId)
    await requireAccount(rpc, user.userId)
    return user
  }
  /** In which language the answer is read. */
  const languageOf = async (c: Context, { userId }: { userId: string }) =>
    asInSettings(await readersLanguage(rpc, userId, readReader(c.req.raw.headers)))
  const tests = ({ test }: { test?: string | undefined }) => test !== 'false'

  app.use(crossOrigin(dependencies.appUrls.callers))
  app.use(async (c, next) => {
    await next()
    c.header('cache-control', 'no-store')
  })
  app.onError(async (error, c) => {
    const refusal = asUnavailable(asAccountRefused(error))
    logRefusal(refusal, c.req)
    const language = await refusalLanguage(rpc, c.get('userId'), c.req.raw, refusal)
    if (!(refusal instanceof RefusedValues)) return errorResponse(refusal, 'json', language)
    const { code, toolError } = refusal
    const { errorType, resolver, details } = toolError
    const message = sayRefusal(asInSettings(language), refusal)
    const asked = details.asked && askedInEnglish(details.asked)
    const worded = { ...details, ...(asked ? { asked } : {}) }
    return c.json({ error: { code, message, errorType, resolver, details: worded } }, 422)
  })
  app.notFound(({ req: { method, path } }) =>
    errorResponse(new ApiError('not_found', { method, path }), 'json'),
  )

  const on = serveRoutes(app, maxBodyBytes, createRouteGuard(dependencies))

  on(listProviders, async (_, c) => {
    const user = await owner(c)
    const language = await languageOf(c, user)
    const providers = await readProviders(rpc, user.userId)
    const installed = providers.filter(dependencies.isInstalled)
    return { providers: installed.map((one) => sayProvider(language, showProvider(one, oauthServers))) }
  })

  on(createConnection, async (request, c) => {
    const user = await owner(c)
    const made = await connections.create(user, await request.body(), tests(request.query()))
    return { connection: sayConnection(await languageOf(c, user), made) }
  })

  on(changeConnection, async (request, c) => {
    const user = await owner(c)
    const { id } = request.params()
    const change = await request.body()
    const changed = await connections.change(user, id, change, tests(request.query()))
    return { connection: sayConnection(await languageOf(c, user), changed) }
  })

  on(removeConnection, async (request, c) => connections.remove(await owner(c), request.params().id))

  on(testConnection, async (request, c) => {
    const user = await owner(c)
    return sayTested(await languageOf(c, user), await connections.test(user, request.params().id))
  })

  on(startSignIn, async (request, c) => {
    const user = await owner(c)
    const { server, provider = '', ...asked } = await request.body()
    return server === undefined
      ? await signIn.start(user, { provider, ...asked })
      : await servers.startSignIn(user, server, asked.returnTo)
  })

  // Opened by the provider's page in the user's browser: it carries no token, and reveals nothing.
  on(receiveSignIn, async (request, c) => {
    try {
      const address = await signIn.receive(request.query())
      // The code in the URL is only for the app.
      c.header('referrer-policy', 'no-referrer')
      return c.redirect(address.href, 303)
    } catch (error) {
      logRefusal(error, c.req)
      return errorResponse(error, 'text', await refusalLanguage(rpc, undefined, c.req.raw, error))
    }
  })

  on(completeSignIn, async (request, c) => {
    const user = await owner(c)
    const { code } = await request.body()
    const language = await languageOf(c, user)
    const connected = await completion.complete(user, code)
    if (connected) return { connection: sayConnection(language, connected) }
    const server = await servers.completeSignIn(user, code)
    if (server) return { server: showServer(language, server) }
    throw new ApiError('unknown_code')
  })

  on(listApiTokens, async (_, c) => {
    const { userId } = await owner(c)
    return { tokens: await readApiTokens(rpc, userId) }
  })

  on(createApiToken, async (request, c) => {
    const { userId } = await owner(c)
    return { token: await makeToken(rpc, userId, await request.body()) }
  })

  on(revokeApiToken, async (request, c) => {
    const { userId } = await owner(c)
    return await revokeToken(rpc, userId, request.params().id)
  })

  on(revokeApiTokens, async (_, c) => {
    const { userId } = await owner(c)
    return await revokeTokens(rpc, userId)
  })

  on(listMcpGrants, async (_, c) => {
    const { userId } = await owner(c)
    return await readGrants(rpc, userId)
  })

  on(makeMcpGrant, async (request, c) => {
    const { userId } = await owner(c)
    return { grant: await makeGrant(rpc, userId, await request.body()) }
  })

  on(changeMcpGrant, async (request, c) => {
    const { userId } = await owner(c)
    return { grant: await changeGrant(rpc, userId, request.params().id, await request.body()) }
  })

  on(revokeMcpGrant, async (request, c) => {
    const { userId } = await owner(c)
    return await revokeGrant(rpc, userId, request.params().id)
  })

  on(serverRoutes.listMcpServers, async (_, c) => {
    const user = await owner(c)
    const language = await languageOf(c, user)
    return { servers: (await servers.list(user)).map((server) => showServer(language, server)) }
  })

  on(serverRoutes.addMcpServer, async (request, c) => {
    const user = await owner(c)
    const added = await servers.add(user, await request.body())
    return { server: showServer(await languageOf(c, user), added) }
  })

  on(serverRoutes.changeMcpServer, async (request, c) => {
    const user = await owner(c)
    const changed = await servers.change(user, request.params().id, await request.body())
    return { server: showServer(await languageOf(c, user), changed) }
  })

  on(serverRoutes.removeMcpServer, async (request, c) => servers.remove(await owner(c), request.params().id))

  on(serverRoutes.refreshMcpServer, async (request, c) => {
    const user = await owner(c)
    const read = await servers.refresh(user, request.params().id)
    return { server: showServer(await languageOf(c, user), read) }
  })

  on(serverRoutes.listMcpServerChanges, async (request, c) => {
    const user = await owner(c)
    const server = await servers.find(user, request.params().id)
    return { changes: showChanges(await languageOf(c, user), server) }
  })

  on(serverRoutes.acceptMcpServerChanges, async (request, c) => {
    const user = await owner(c)
    const { tools } = await request.body()
    const accepted = await servers.accept(user, request.params().id, tools)
    return { server: showServer(await languageOf(c, user), accepted) }
  })

  on(deleteAccount, async (request, c) => {
    const user = await owner(c)
    return await removeAccount(user, (await request.body()).email)
  })

  return app
}
