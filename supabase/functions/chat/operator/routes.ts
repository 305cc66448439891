import { type Context, Hono } from 'hono'
import { requireAccount } from '../../../../shared/server/authentication/account.ts'
import { authenticateUser } from '../../../../shared/server/authentication/authenticate.ts'
import { readJson } from '../../../../shared/server/http/read-json.ts'
import { bodyLimits } from '../request/receive-post.ts'
import type { ChatDependencies } from '../turn/dependencies.ts'
import { logAct, newAct } from './act.ts'
import { readOffer, readReason, readRunId, readSought, readSwitch } from './requests.ts'
import { isOperator, requireOperator } from './require-operator.ts'
import { findRuns, listStuck, readRun, type StopRun, stopRunOf } from './runs.ts'
import { listFunctions, listTools, offerFunction, switchTool, withdrawFunction } from './tools.ts'

/**
 * What operators see and change, below `chat/operator`. Whoever is none learns that they are none, and nothing else.
 * A conversation may still be called `operator`: its own routes are others.
 */
export function createOperatorRoutes(
  { verify, rpc }: Pick<ChatDependencies, 'verify' | 'rpc'>,
  stop: StopRun,
): Hono {
  const app = new Hono({ strict: false })
  const operator = async (c: Context): Promise<string> => {
    const { userId } = await authenticateUser(c.req.raw, verify)
    await requireAccount(rpc, userId)
    await requireOperator(rpc, userId)
    return userId
  }
  const body = (c: Context) => readJson(c.req.raw, bodyLimits.json)

  app.get('/', async (c) => {
    const { userId } = await authenticateUser(c.req.raw, verify)
    await requireAccount(rpc, userId)
    return c.json({ isOperator: await isOperator(rpc, userId) })
  })

  app.get('/runs', async (c) => {
    const act = newAct(await operator(c))
    const found = await findRuns(rpc, act, readSought(c.req.query('find')))
    logAct(act, 'find_runs', { found: found.runs.length })
    return c.json(found)
  })

  app.get('/runs/:id', async (c) => {
    const act = newAct(await operator(c))
    const read = await readRun(rpc, act, readRunId(c.req.param('id')))
    logAct(act, 'read_run', { runId: read.run.runId, userId: read.run.userId })
    return c.json(read)
  })

  app.post('/runs/:id/stop', async (c) => {
    const operatorId = await operator(c)
    const runId = readRunId(c.req.param('id'))
    const act = newAct(operatorId, readReason(await body(c)))
    const stopped = await stopRunOf(rpc, act, runId, stop)
    logAct(act, 'stop_run', stopped)
    return c.json({ runId, stopped: true })
  })

  app.get('/stuck', async (c) => {
    const act = newAct(await operator(c))
    const stuck = await listStuck(rpc, act)
    logAct(act, 'list_stuck', { runs: stuck.runs.length, writes: stuck.writes.length })
    return c.json(stuck)
  })

  app.get('/tools', async (c) => {
    await operator(c)
    return c.json(await listTools(rpc))
  })

  app.patch('/tools/:name', async (c) => {
    const operatorId = await operator(c)
    const { enabled, reason } = readSwitch(await body(c))
    const act = newAct(operatorId, reason)
    const switched = await switchTool(rpc, act, c.req.param('name'), enabled)
    logAct(act, enabled ? 'switch_on' : 'switch_off', { toolName: switched.name })
    return c.json(switched)
  })

  app.get('/functions', async (c) => {
    await operator(c)
    return c.json(await listFunctions(rpc))
  })

  app.put('/functions/:name', async (c) => {
    const act = newAct(await operator(c))
    const offered = await offerFunction(rpc, act, c.req.param('name'), readOffer(await body(c)))
    logAct(act, 'offer_function', { toolName: offered.tool })
    return c.json(offered)
  })

  app.delete('/functions/:name', async (c) => {
    const act = newAct(await operator(c))
    const { withdrawn } = await withdrawFunction(rpc, act, c.req.param('name'))
    logAct(act, 'withdraw_function', { function: withdrawn })
    return c.json({ withdrawn })
  })

  return app
}
