import { type Context, Hono } from 'hono'
import { asAccountGone, requireAccount } from '../../../shared/server/authentication/account.ts'
import { authenticateUser } from '../../../shared/server/authentication/authenticate.ts'
import { requireClock } from '../../../shared/server/authentication/clock-secret.ts'
import type { TokenUser } from '../../../shared/server/authentication/user-token.ts'
import { ApiError } from '../../../shared/server/http/api-error.ts'
import { crossOrigin } from '../../../shared/server/http/cross-origin.ts'
import { errorResponse } from '../../../shared/server/http/error-response.ts'
import { readJson, readOptionalJson } from '../../../shared/server/http/read-json.ts'
import { logRefusal } from '../../../shared/server/log/log-refusal.ts'
import { listConversations } from './answer/conversation-list.ts'
import { changeConversation, getConversation, listOpenItems, rateMessage } from './answer/conversations.ts'
import { createChatService } from './chat-service.ts'
import { serveFile } from './files/serve-file.ts'
import { createOpenAiRoutes } from './openai/routes.ts'
import { createOperatorRoutes } from './operator/routes.ts'
import { readConversationChange } from './request/conversation-change.ts'
import { readApproval, readInputAnswer, readResume, readSkip } from './request/decision.ts'
import { readFeedback } from './request/feedback.ts'
import { bodyLimits, chooseRefusalFormat, receivePost } from './request/receive-post.ts'
import { chooseResponseFormat, type ResponseFormat } from './request/request-form.ts'
import { readTurnRequest } from './request/turn-request.ts'
import { createActiveRuns } from './turn/active-runs.ts'
import type { ChatDependencies } from './turn/dependencies.ts'
import { listModels, requireModel } from './turn/model-choice.ts'

interface Variables {
  /** How errors are said as well. */
  format: ResponseFormat
}

/** The routes of the chat function. Functions see their own name in front of every path. */
export function createApp(dependencies: ChatDependencies): Hono<{ Variables: Variables }> {
  const { verify, rpc, files, fileLinks } = dependencies
  const active = createActiveRuns()
  const service = createChatService(dependencies, active)
  const app = new Hono<{ Variables: Variables }>({ strict: false }).basePath('/chat')
  const user = (c: Context): Promise<TokenUser> => authenticateUser(c.req.raw, verify)
  /** Of requests that begin no run: those that do hear of a deleted account from the database. */
  const owner = async (c: Context): Promise<TokenUser> => {
    const caller = await user(c)
    await requireAccount(rpc, caller.userId)
    return caller
  }

  app.use(crossOrigin)
  app.onError((error, c) => {
    const refusal = asAccountGone(error)
    logRefusal(refusal, c.req)
    return errorResponse(refusal, c.get('format') === 'stream' ? 'text' : 'json')
  })
  app.notFound((c) => {
    const sentence = `There is no ${c.req.method} ${c.req.path} here.`
    return errorResponse(new ApiError(404, 'not_found', sentence), 'json')
  })

  app.route('/v1', createOpenAiRoutes(dependencies, active, service.takeFiles))
  app.route('/operator', createOperatorRoutes(dependencies, service.stop))

  app.post('/', async (c) => {
    const caller = await user(c).catch(async (error) => {
      c.set('format', await chooseRefusalFormat(c.req.raw))
      throw error
    })
    const post = await receivePost(c.req.raw, (format) => c.set('format', format))
    const asked = readTurnRequest(post.body, post.form)
    if (asked.model) await requireModel(dependencies, caller.userId, asked.model, asked)
    const request = await service.takeFiles(caller.userId, asked)
    if (post.format === 'stream') return await service.stream(caller, request)
    return c.json(await service.post(caller, request))
  })

  app.post('/clock', async (c) => {
    await requireClock(c.req.raw, dependencies.functionSecret)
    return c.json({ resumed: await service.wake() }, 202)
  })

  app.get('/models', async (c) => {
    const { userId } = await owner(c)
    return c.json(await listModels(dependencies, userId, c.req.query()))
  })

  app.get('/conversations', async (c) => {
    const { userId } = await user(c)
    return c.json(await listConversations(rpc, userId, c.req.query()))
  })

  app.get('/open', async (c) => {
    const { userId } = await user(c)
    return c.json(await listOpenItems(rpc, userId, c.req.query()))
  })

  app.get('/conversations/:id', async (c) => {
    const { userId } = await owner(c)
    return c.json(await getConversation(rpc, userId, c.req.param('id'), fileLinks, c.req.query()))
  })

  app.patch('/conversations/:id', async (c) => {
    const { userId } = await user(c)
    const change = readConversationChange(await readJson(c.req.raw, bodyLimits.json))
    await requireAccount(rpc, userId)
    return c.json(await changeConversation(rpc, userId, c.req.param('id'), change))
  })

  app.put('/conversations/:id/feedback', async (c) => {
    const { userId } = await owner(c)
    const feedback = readFeedback(await readJson(c.req.raw, bodyLimits.json))
    return c.json(await rateMessage(rpc, userId, c.req.param('id'), feedback))
  })

  app.delete('/conversations/:id', async (c) => {
    const { userId } = await owner(c)
    return c.json(await service.delete(userId, c.req.param('id')))
  })

  // A picture in a page is asked for without a token: the link itself is the right to it.
  app.get('/files/:id', async (c) => {
    const id = c.req.param('id')
    const goodForSeconds = await fileLinks.check(id, c.req.query())
    const file = await files.readLinked(id)
    if (!file) throw new ApiError(404, 'file_not_found', 'This file was deleted.')
    return serveFile(file, goodForSeconds)
  })

  app.get('/:id/stream', async (c) => {
    c.set('format', chooseResponseFormat('ui', c.req.header('accept') ?? null))
    const { userId } = await owner(c)
    return await service.resumeStream(userId, c.req.param('id'))
  })

  app.post('/:id/stop', async (c) => {
    const { userId } = await owner(c)
    return c.json(await service.stop(userId, c.req.param('id')))
  })

  app.post('/:id/answer', async (c) => {
    const caller = await user(c)
    const answer = readInputAnswer(await readJson(c.req.raw, bodyLimits.json))
    return c.json(await service.resume(caller, c.req.param('id'), answer))
  })

  app.post('/:id/approval', async (c) => {
    const caller = await user(c)
    const answer = readApproval(await readJson(c.req.raw, bodyLimits.json))
    return c.json(await service.resume(caller, c.req.param('id'), answer))
  })

  app.post('/:id/skip', async (c) => {
    const caller = await user(c)
    const skip = readSkip(await readJson(c.req.raw, bodyLimits.json))
    return c.json(await service.resume(caller, c.req.param('id'), skip))
  })

  // After a connection was made, or when the clock's time has come.
  app.post('/:id/resume', async (c) => {
    const caller = await user(c)
    const resume = readResume(await readOptionalJson(c.req.raw, bodyLimits.json))
    return c.json(await service.resume(caller, c.req.param('id'), resume))
  })

  return app
}
