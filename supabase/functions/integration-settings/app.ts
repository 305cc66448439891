import { type Context, Hono } from 'hono'
import { asAccountGone, requireAccount } from '../../../shared/server/authentication/account.ts'
import { authenticateUser } from '../../../shared/server/authentication/authenticate.ts'
import { ApiError } from '../../../shared/server/http/api-error.ts'
import { crossOrigin } from '../../../shared/server/http/cross-origin.ts'
import { errorResponse } from '../../../shared/server/http/error-response.ts'
import { logRefusal } from '../../../shared/server/log/log-refusal.ts'
import { createApiToken, listApiTokens, revokeApiToken } from './api-tokens.ts'
import { listProviders } from './catalogue.ts'
import { InvalidValues } from './check-values.ts'
import { createSignInCompletion } from './complete-sign-in.ts'
import { createConnections } from './connections.ts'
import { createAccountDeletion } from './delete-account.ts'
import type { SettingsDependencies } from './dependencies.ts'
import {
  readBody,
  readConnectionChange,
  readConnectionId,
  readEmail,
  readNewConnection,
  readOneTimeCode,
  readSignIn,
} from './requests.ts'
import { showProvider } from './show-connection.ts'
import { createSignIn } from './sign-in.ts'
import { readTokenId, readTokenRequest } from './token-request.ts'

/** The routes of the integration settings. Every request but the provider's callback is its user's own. */
export function createApp(dependencies: SettingsDependencies): Hono {
  const { verify, rpc, oauthServers } = dependencies
  const connections = createConnections(dependencies)
  const signIn = createSignIn(dependencies)
  const completion = createSignInCompletion(dependencies, connections)
  const deleteAccount = createAccountDeletion(dependencies, connections)
  const app = new Hono({ strict: false }).basePath('/integration-settings')
  const owner = async (c: Context) => {
    const user = await authenticateUser(c.req.raw, verify)
    await requireAccount(rpc, user.userId)
    return user
  }
  const tests = (c: Context) => c.req.query('test') !== 'false'

  app.use(crossOrigin)
  app.use(async (c, next) => {
    await next()
    c.header('cache-control', 'no-store')
  })
  app.onError((error, c) => {
    const refusal = asAccountGone(error)
    logRefusal(refusal, c.req)
    if (!(refusal instanceof InvalidValues)) return errorResponse(refusal, 'json')
    const { code, message, toolError } = refusal
    const { errorType, resolver, details } = toolError
    return c.json({ error: { code, message, errorType, resolver, details } }, 422)
  })
  app.notFound((c) => {
    const sentence = `There is no ${c.req.method} ${c.req.path} here.`
    return errorResponse(new ApiError(404, 'not_found', sentence), 'json')
  })

  app.get('/', async (c) => {
    const { userId } = await owner(c)
    const providers = await listProviders(rpc, userId)
    return c.json({ providers: providers.map((one) => showProvider(one, oauthServers)) })
  })

  app.post('/connections', async (c) => {
    const user = await owner(c)
    const request = readNewConnection(await readBody(c.req.raw))
    return c.json({ connection: await connections.create(user, request, tests(c)) }, 201)
  })

  app.patch('/connections/:id', async (c) => {
    const user = await owner(c)
    const id = readConnectionId(c.req.param('id'))
    const change = readConnectionChange(await readBody(c.req.raw))
    return c.json({ connection: await connections.change(user, id, change, tests(c)) })
  })

  app.delete('/connections/:id', async (c) => {
    const user = await owner(c)
    return c.json(await connections.remove(user, readConnectionId(c.req.param('id'))))
  })

  app.post('/connections/:id/test', async (c) => {
    const user = await owner(c)
    return c.json(await connections.test(user, readConnectionId(c.req.param('id'))))
  })

  app.post('/oauth/start', async (c) => {
    const user = await owner(c)
    return c.json(await signIn.start(user, readSignIn(await readBody(c.req.raw))))
  })

  // Opened by the provider's page in the user's browser: it carries no token, and learns nothing.
  app.get('/oauth/callback', async (c) => {
    try {
      const address = await signIn.receive(c.req.query())
      // The code in the address is for the app alone.
      c.header('referrer-policy', 'no-referrer')
      return c.redirect(address.href, 303)
    } catch (error) {
      logRefusal(error, c.req)
      return errorResponse(error, 'text')
    }
  })

  app.post('/oauth/complete', async (c) => {
    const user = await owner(c)
    const code = readOneTimeCode(await readBody(c.req.raw))
    return c.json({ connection: await completion.complete(user, code) }, 201)
  })

  app.get('/tokens', async (c) => {
    const { userId } = await owner(c)
    return c.json({ tokens: await listApiTokens(rpc, userId) })
  })

  app.post('/tokens', async (c) => {
    const { userId } = await owner(c)
    const request = readTokenRequest(await readBody(c.req.raw))
    return c.json({ token: await createApiToken(rpc, userId, request) }, 201)
  })

  app.delete('/tokens/:id', async (c) => {
    const { userId } = await owner(c)
    return c.json(await revokeApiToken(rpc, userId, readTokenId(c.req.param('id'))))
  })

  app.delete('/account', async (c) => {
    const user = await owner(c)
    return c.json(await deleteAccount(user, readEmail(await readBody(c.req.raw))))
  })

  return app
}
