import type { Context, Env } from 'hono'
import {
  amOperator,
  changeLimit,
  exportDecisions,
  findRuns,
  listFunctions,
  listLimits,
  listStuck,
  listTools,
  offerFunction,
  readInsights,
  readRun,
  stopRunOf,
  switchTool,
  withdrawFunction,
} from '../../../../shared/api/operator.ts'
import { readReader } from '../../../../shared/api/reader.ts'
import { requireAccount } from '../../../../shared/server/authentication/account.ts'
import { authenticateUser } from '../../../../shared/server/authentication/authenticate.ts'
import { isOperator, requireOperator } from '../../../../shared/server/authentication/operator.ts'
import type { ServeRoute } from '../../../../shared/server/http/serve-routes.ts'
import { readersLanguage } from '../../../../shared/server/reader/readers-language.ts'
import type { ChatDependencies } from '../turn/dependencies.ts'
import { logAct, newAct } from './act.ts'
import * as decisions from './decisions.ts'
import * as insights from './insights.ts'
import * as limits from './limits.ts'
import * as runs from './runs.ts'
import * as tools from './tools.ts'

/**
 * What operators see and change, below `chat/operator`. Anybody else only learns that they are not an operator.
 * A conversation may still be called `operator`: its own routes are different.
 */
export function serveOperators<Variables extends Env>(
  on: ServeRoute<Variables>,
  dependencies: Pick<ChatDependencies, 'verify' | 'rpc' | 'isInstalled'>,
  stop: runs.StopRun,
): void {
  const { verify, rpc } = dependencies
  const user = async (c: Context): Promise<string> => {
    const { userId } = await authenticateUser(c.req.raw, verify)
    await requireAccount(rpc, userId)
    return userId
  }
  const operator = async (c: Context): Promise<string> => {
    const userId = await user(c)
    await requireOperator(rpc, userId)
    return userId
  }

  on(amOperator, async (_, c) => ({ isOperator: await isOperator(rpc, await user(c)) }))

  on(findRuns, async (request, c) => {
    const act = newAct(await operator(c))
    const found = await runs.findRuns(rpc, act, request.query().find)
    logAct(act, 'find_runs', { found: found.runs.length })
    return found
  })

  on(readRun, async (request, c) => {
    const act = newAct(await operator(c))
    const read = await runs.readRun(rpc, act, request.params().id)
    logAct(act, 'read_run', { runId: read.run.runId, userId: read.run.userId })
    return read
  })

  on(stopRunOf, async (request, c) => {
    const operatorId = await operator(c)
    const { id: runId } = request.params()
    const act = newAct(operatorId, (await request.body()).reason)
    const stopped = await runs.stopRunOf(rpc, act, runId, stop)
    logAct(act, 'stop_run', stopped)
    return { runId, stopped: true as const }
  })

  on(listStuck, async (_, c) => {
    const act = newAct(await operator(c))
    const stuck = await runs.listStuck(rpc, act)
    logAct(act, 'list_stuck', { runs: stuck.runs.length, writes: stuck.writes.length })
    return stuck
  })

  on(readInsights, async (request, c) => {
    const act = newAct(await operator(c))
    const { days } = request.query()
    const figures = await insights.readInsights(rpc, act, days)
    logAct(act, 'read_insights', { days })
    return figures
  })

  on(exportDecisions, async (request, c) => {
    const act = newAct(await operator(c))
    const { since, after } = request.query()
    const page = await decisions.exportDecisions(rpc, act, since, after)
    logAct(act, 'export_decisions', { since, decisions: page.lines.length })
    return decisions.asLines(page, new URL(c.req.url))
  })

  on(listTools, async (_, c) => {
    await operator(c)
    return await tools.listTools(dependencies)
  })

  on(switchTool, async (request, c) => {
    const operatorId = await operator(c)
    const { enabled, reason } = await request.body()
    const act = newAct(operatorId, reason)
    const switched = await tools.switchTool(rpc, act, request.params().name, enabled)
    logAct(act, enabled ? 'switch_on' : 'switch_off', { toolName: switched.name })
    return switched
  })

  on(listLimits, async (_, c) => {
    await operator(c)
    return await limits.listLimits(rpc)
  })

  on(changeLimit, async (request, c) => {
    const operatorId = await operator(c)
    const { reason, ...change } = await request.body()
    const act = newAct(operatorId, reason)
    const changed = await limits.setLimit(rpc, act, change)
    const { scope, subject, measure, per, tool, value } = change
    logAct(act, 'change_limit', { scope, subject, measure, per, tool, value })
    return changed
  })

  on(listFunctions, async (_, c) => {
    const userId = await operator(c)
    const language = await readersLanguage(rpc, userId, readReader(c.req.raw.headers))
    return await tools.listFunctions(rpc, language)
  })

  on(offerFunction, async (request, c) => {
    const act = newAct(await operator(c))
    const offered = await tools.offerFunction(rpc, act, request.params().name, await request.body())
    logAct(act, 'offer_function', { toolName: offered.tool })
    return offered
  })

  on(withdrawFunction, async (request, c) => {
    const act = newAct(await operator(c))
    const withdrawn = await tools.withdrawFunction(rpc, act, request.params().name)
    logAct(act, 'withdraw_function', { function: withdrawn.withdrawn })
    return withdrawn
  })
}
