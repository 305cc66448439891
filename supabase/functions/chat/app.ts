import { type Context, Hono } from 'hono'
import {
  changeConversation,
  deleteConversation,
  getConversation,
  listConversations,
  listOpenItems,
  rateMessage,
} from '../../../shared/api/conversation.ts'
import { answerQuestion, decideApproval, resumeRun, skipItem } from '../../../shared/api/decision.ts'
import { addPermission, listPermissions, revokePermission } from '../../../shared/api/permission.ts'
import { readReader, withTimeZone } from '../../../shared/api/reader.ts'
import {
  checkHealth,
  followRun,
  getFile,
  listModels,
  stopRun,
  uploadFile,
  wakeRuns,
} from '../../../shared/api/run.ts'
import {
  addSchedule,
  changeSchedule,
  deleteSchedule,
  listSchedules,
  runSchedule,
} from '../../../shared/api/schedule.ts'
import { listTools } from '../../../shared/api/tool.ts'
import { postMessage } from '../../../shared/api/turn.ts'
import { askFirst, listUnaskedTools } from '../../../shared/api/unasked-tool.ts'
import { asAccountRefused, requireAccount } from '../../../shared/server/authentication/account.ts'
import { authenticateUser } from '../../../shared/server/authentication/authenticate.ts'
import { requireClock } from '../../../shared/server/authentication/clock-signature.ts'
import { createRouteGuard, requireSecondFactor } from '../../../shared/server/authentication/second-factor.ts'
import type { TokenUser } from '../../../shared/server/authentication/user-token.ts'
import { asUnavailable } from '../../../shared/server/database/ask-database.ts'
import { ApiError } from '../../../shared/server/http/api-error.ts'
import { smallBody } from '../../../shared/server/http/body-memory.ts'
import { crossOrigin } from '../../../shared/server/http/cross-origin.ts'
import { errorResponse } from '../../../shared/server/http/error-response.ts'
import { readStart } from '../../../shared/server/http/read-body.ts'
import { serveRoutes } from '../../../shared/server/http/serve-routes.ts'
import { logRefusal } from '../../../shared/server/log/log-refusal.ts'
import {
  type Refused,
  readersLanguage,
  refusalLanguage,
} from '../../../shared/server/reader/readers-language.ts'
import { version } from '../../../shared/server/version.ts'
import { listConversations as readConversations } from './answer/conversation-list.ts'
import {
  getConversation as readConversation,
  listOpenItems as readOpenItems,
  changeConversation as storeChange,
  rateMessage as storeFeedback,
} from './answer/conversations.ts'
import { serveDigests } from './bell/routes.ts'
import { createChatService } from './chat-service.ts'
import { serveClientCalls } from './client-calls/routes.ts'
import { acquireFileMemory } from './files/file-memory.ts'
import { serveFile } from './files/serve-file.ts'
import { createHealthCheck } from './health.ts'
import { serveItemLinks } from './links/routes.ts'
import { createOpenAiRoutes } from './openai/routes.ts'
import { readClock } from './operator/clock.ts'
import { serveOperators } from './operator/routes.ts'
import { bodyLimits, chooseRefusalFormat, receivePost } from './request/receive-post.ts'
import { chooseResponseFormat, type ResponseFormat } from './request/request-form.ts'
import { decides, readTurnRequest } from './request/turn-request.ts'
import {
  findSchedule,
  listSchedules as readSchedules,
  deleteSchedule as removeSchedule,
  addSchedule as storeSchedule,
  changeSchedule as storeScheduleChange,
  withTimes,
} from './schedules/schedules.ts'
import {
  listPermissions as readPermissions,
  requireFit,
  addPermission as storePermission,
  revokePermission as withdrawPermission,
} from './standing-permissions.ts'
import { listTools as readTools } from './tools.ts'
import { createActiveRuns } from './turn/active-runs.ts'
import type { Caller } from './turn/caller-headers.ts'
import { listModels as readModels, requireModel } from './turn/conversation-models.ts'
import type { ChatDependencies } from './turn/dependencies.ts'
import { rateOfFiles } from './turn/recent-refusals.ts'
import { listUnaskedTools as readUnaskedTools, setAskFirst } from './unasked-tools.ts'

interface Variables extends Refused {
  /** Errors are sent in the same form. */
  format: ResponseFormat
}

/** The routes of the chat function. Functions see their own name at the start of every path. */
export function createApp(dependencies: ChatDependencies): Hono<{ Variables: Variables }> {
  const { verify, rpc, files, fileLinks, refusals } = dependencies
  const active = createActiveRuns()
  const service = createChatService(dependencies, active)
  const isHealthy = createHealthCheck(rpc)
  const app = new Hono<{ Variables: Variables }>({ strict: false })
  const user = async (c: Context): Promise<TokenUser> => {
    const caller = await authenticateUser(c.req.raw, verify)
    c.set('userId', caller.userId)
    return caller
  }
  /** In which language the answer is read, and at which time. */
  const languageOf = (c: Context, { userId }: TokenUser) =>
    readersLanguage(rpc, userId, readReader(c.req.raw.headers))
  /** For requests that start a run. */
  const runner = async (c: Context): Promise<Caller & TokenUser> => {
    return {
      ...(await user(c)),
      traceparent: c.req.header('traceparent'),
      reader: readReader(c.req.raw.headers),
    }
  }
  /** For requests that start no run: the others learn about a deleted account from the database. */
  const owner = async (c: Context): Promise<TokenUser> => {
    const caller = await user(c)
    await requireAccount(rpc, caller.userId)
    return caller
  }

  app.use(crossOrigin(dependencies.appUrls.callers))
  // The token is in a header: a browser would keep one link's refusal for another, as 410 may be kept.
  app.use('/chat/open/*', async (c, next) => {
    await next()
    c.header('cache-control', 'no-store')
  })
  app.onError(async (error, c) => {
    const refusal = asUnavailable(asAccountRefused(error))
    logRefusal(refusal, c.req)
    const language = await refusalLanguage(rpc, c.get('userId'), c.req.raw, refusal)
    return errorResponse(refusal, c.get('format') === 'stream' ? 'text' : 'json', language)
  })
  app.notFound(({ req: { method, path } }) =>
    errorResponse(new ApiError('not_found', { method, path }), 'json'),
  )

  const on = serveRoutes(app, bodyLimits.json, createRouteGuard(dependencies))
  app.route('/chat/v1', createOpenAiRoutes(dependencies, active, service.storeFiles))
  serveOperators(on, dependencies, service.stop)
  serveItemLinks(on, dependencies, service.resume)
  serveDigests(on, dependencies)
  serveClientCalls(app, { dependencies, active, resume: service.resume })

  /** A flood of files is refused before their bodies are read. */
  const refuseFlood = <User extends { userId: string }>(c: Context, caller: User): User => {
    if (Number(c.req.header('content-length') ?? 0) > smallBody) refusals.check(rateOfFiles(caller.userId))
    return caller
  }

  on(postMessage, async (_, c) => {
    const admitted = runner(c).then((caller) => refuseFlood(c, caller))
    const caller = await admitted.catch(async (error) => {
      c.set('format', await chooseRefusalFormat(c.req.raw))
      throw error
    })
    const onFormat = (format: ResponseFormat) => c.set('format', format)
    const request = await receivePost(c.req.raw, caller.userId, onFormat, async ({ body, form }) => {
      const asked = readTurnRequest(body, form)
      if (dependencies.requireAal2 && decides(asked)) requireSecondFactor(caller)
      if (asked.model) await requireModel(dependencies, caller.userId, asked.model, asked)
      return await service.storeFiles(caller.userId, asked)
    })
    const reader = withTimeZone(caller.reader, request.timezone)
    if (c.get('format') === 'stream') return await service.stream({ ...caller, reader }, request)
    return await service.post({ ...caller, reader }, request)
  })

  on(wakeRuns, async (request, c) => {
    await requireClock(c.req.raw, dependencies.functionSecret)
    return { resumed: await service.wake((await request.body())?.chain) }
  })

  on(checkHealth, async (_, c) => {
    if (!(await isHealthy())) return c.json({ status: 'unavailable' }, 503)
    const clock = await readClock(dependencies, c)
    return { status: 'ok' as const, version, clock }
  })

  on(listModels, async (request, c) => {
    const { userId } = await owner(c)
    return await readModels(dependencies, userId, request.query())
  })

  on(listTools, async (_, c) => {
    const caller = await owner(c)
    return await readTools(dependencies, caller.userId, await languageOf(c, caller))
  })

  on(listConversations, async (request, c) => {
    const { userId } = await user(c)
    return await readConversations(rpc, userId, request.query())
  })

  on(listOpenItems, async (request, c) => {
    const caller = await user(c)
    const language = await languageOf(c, caller)
    return await readOpenItems(rpc, caller.userId, request.query(), language)
  })

  on(listPermissions, async (request, c) => {
    const { userId } = await owner(c)
    return await readPermissions(rpc, userId, request.query())
  })

  on(addPermission, async (request, c) => {
    const { userId } = await owner(c)
    return await storePermission(rpc, userId, await request.body())
  })

  on(revokePermission, async (request, c) => {
    const { userId } = await owner(c)
    return await withdrawPermission(rpc, userId, request.params().id)
  })

  on(listSchedules, async (_, c) => {
    const caller = await owner(c)
    return await readSchedules(rpc, caller.userId, await languageOf(c, caller))
  })

  on(addSchedule, async (request, c) => {
    const caller = await owner(c)
    return await storeSchedule(rpc, caller.userId, await request.body(), await languageOf(c, caller))
  })

  on(changeSchedule, async (request, c) => {
    const caller = await owner(c)
    const { id } = request.params()
    return await storeScheduleChange(
      rpc,
      caller.userId,
      id,
      await request.body(),
      await languageOf(c, caller),
    )
  })

  on(deleteSchedule, async (request, c) => {
    const { userId } = await owner(c)
    return await removeSchedule(rpc, userId, request.params().id)
  })

  on(runSchedule, async (request, c) => {
    const caller = await owner(c)
    const { id } = request.params()
    await service.runSchedule(caller.userId, id)
    const language = await languageOf(c, caller)
    return { schedule: await withTimes(await findSchedule(rpc, caller.userId, id), language) }
  })

  on(listUnaskedTools, async (_, c) => {
    const { userId } = await owner(c)
    return await readUnaskedTools(dependencies, userId)
  })

  on(askFirst, async (request, c) => {
    const { userId } = await owner(c)
    return await setAskFirst(rpc, userId, request.params())
  })

  on(getConversation, async (request, c) => {
    const caller = await owner(c)
    const language = await languageOf(c, caller)
    return await readConversation(
      rpc,
      caller.userId,
      request.params().id,
      fileLinks,
      language,
      request.query(),
    )
  })

  on(changeConversation, async (request, c) => {
    const { userId } = await user(c)
    const change = await request.body()
    await requireAccount(rpc, userId)
    return await storeChange(rpc, userId, request.params().id, change)
  })

  on(rateMessage, async (request, c) => {
    const { userId } = await owner(c)
    return await storeFeedback(rpc, userId, request.params().id, await request.body())
  })

  on(deleteConversation, async (request, c) => {
    const { userId } = await owner(c)
    return await service.delete(userId, request.params().id)
  })

  on(uploadFile, async (request, c) => {
    const admitted = owner(c).then((caller) => refuseFlood(c, caller))
    const { userId } = await admitted.catch(async (error) => {
      // Otherwise a browser that is still sending sees a broken connection.
      await readStart(c.req.raw, 0)
      throw error
    })
    return { file: await service.upload(userId, c.req.raw, request.query().name) }
  })

  // A picture in a page is requested without a token: the link itself grants access.
  on(getFile, async (request) => {
    const { id } = request.params()
    const goodForSeconds = await fileLinks.check(id, request.query())
    const memory = await acquireFileMemory()
    if (!memory) throw new ApiError('too_many_documents', { why: 'shown' })
    try {
      const file = await files.readLinked(id)
      if (!file) throw new ApiError('file_not_found', { why: 'deleted' }, { status: 404 })
      return serveFile(file, goodForSeconds)
    } finally {
      memory.free()
    }
  })

  on(followRun, async (request, c) => {
    c.set('format', chooseResponseFormat('ui', c.req.header('accept') ?? null))
    const caller = await owner(c)
    const reader = readReader(c.req.raw.headers)
    return await service.resumeStream({ ...caller, reader }, request.params().id)
  })

  on(stopRun, async (request, c) => {
    const { userId } = await owner(c)
    return await service.stop(userId, request.params().id)
  })

  on(answerQuestion, async (request, c) => {
    const caller = await runner(c)
    return await service.resume(caller, request.params().id, { type: 'input', ...(await request.body()) })
  })

  on(decideApproval, async (request, c) => {
    const caller = await runner(c)
    const { id } = request.params()
    const { approvalId, ...decided } = await request.body()
    if (decided.remember) await requireFit(rpc, caller.userId, id, approvalId, decided)
    return await service.resume(caller, id, {
      type: 'approval',
      itemId: approvalId,
      ...decided,
    })
  })

  on(skipItem, async (request, c) => {
    const caller = await runner(c)
    return await service.resume(caller, request.params().id, { type: 'skip', ...(await request.body()) })
  })

  // After a connection was made, or when its time has come.
  on(resumeRun, async (request, c) => {
    const caller = await runner(c)
    return await service.resume(caller, request.params().id, { type: 'resume', ...(await request.body()) })
  })

  return app
}
