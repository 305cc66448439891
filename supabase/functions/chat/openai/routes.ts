import { Hono } from 'hono'
import { asAccountRefused } from '../../../../shared/server/authentication/account.ts'
import { asUnavailable } from '../../../../shared/server/database/ask-database.ts'
import { readJson } from '../../../../shared/server/http/read-body.ts'
import { logRefusal } from '../../../../shared/server/log/log-refusal.ts'
import { type Refused, refusalLanguage } from '../../../../shared/server/reader/readers-language.ts'
import { bodyLimits } from '../request/receive-post.ts'
import type { TurnRequest } from '../request/turn-request.ts'
import type { ActiveRuns } from '../turn/active-runs.ts'
import type { ChatDependencies } from '../turn/dependencies.ts'
import { answerAsStream, answerAtOnce } from './answer-completion.ts'
import { readClientChat } from './client-chat.ts'
import { untilAnswered } from './client-connection.ts'
import { readCompletionRequest } from './completion-request.ts'
import { beginCompletionRun } from './completion-run.ts'
import { findModel, listModels, requireModel } from './models.ts'
import { authenticateClient } from './openai-caller.ts'
import { openAiErrorResponse, unknownPath } from './openai-error.ts'

/** The OpenAI protocol, below `chat/v1`: a model is an agent, a key is a token from the settings. `Accept` is ignored. */
export function createOpenAiRoutes(
  dependencies: ChatDependencies,
  active: ActiveRuns,
  storeFiles: (userId: string, request: TurnRequest) => Promise<TurnRequest>,
): Hono<{ Variables: Refused }> {
  const { rpc } = dependencies
  const app = new Hono<{ Variables: Refused }>({ strict: false })

  app.onError(async (error, c) => {
    const refusal = asUnavailable(asAccountRefused(error))
    logRefusal(refusal, c.req)
    return openAiErrorResponse(refusal, await refusalLanguage(rpc, c.get('userId'), c.req.raw, refusal))
  })

  app.get('/models', async (c) => {
    const caller = await authenticateClient(c.req.raw, dependencies)
    return c.json({ object: 'list', data: await listModels(rpc, caller) })
  })

  app.get('/models/:id', async (c) => {
    const caller = await authenticateClient(c.req.raw, dependencies)
    return c.json(await findModel(rpc, caller, c.req.param('id')))
  })

  app.post('/chat/completions', async (c) => {
    const client = await authenticateClient(c.req.raw, dependencies)
    c.set('userId', client.userId)
    const caller = { ...client, traceparent: c.req.header('traceparent') }
    const chat = readClientChat(c.req.raw.headers)
    // Such clients send the whole conversation again.
    const read = async (body: unknown) => {
      const asked = await readCompletionRequest(body, chat, caller.key)
      requireModel(caller, asked.model)
      return { ...asked, turn: await storeFiles(caller.userId, asked.turn) }
    }
    const request = await readJson(c.req.raw, bodyLimits.ui, read, caller.userId)
    const run = await beginCompletionRun(caller, request, dependencies, active)
    const answer = request.stream ? answerAsStream : answerAtOnce
    return await untilAnswered(c.req.raw, run.close, () => answer(run, request, dependencies))
  })

  app.all('*', (c) => {
    throw unknownPath(c.req.method, c.req.path.replace(/^.*?\/v1(?=\/|$)/, ''))
  })

  return app
}
