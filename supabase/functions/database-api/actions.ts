import type { Said } from '../../../shared/engine/core/asked.ts'
import { parseExactJson } from '../../../shared/engine/core/exact-json.ts'
import { isObject } from '../../../shared/engine/core/json-value.ts'
import { bodyLimits, readText } from '../../../shared/engine/core/outside-body.ts'
import type { Seen } from '../../../shared/engine/core/seen.ts'
import { timeouts } from '../../../shared/engine/core/timeouts.ts'
import { saidError, ToolCallError } from '../../../shared/engine/core/tool-error.ts'
import { toolValues } from '../../../shared/engine/wording/question-values.ts'
import {
  type Environment,
  readProjectAccess,
  readPublishableKey,
} from '../../../shared/server/authentication/project-settings.ts'
import { type CallRpc, createRpc } from '../../../shared/server/database/call-rpc.ts'
import type {
  ActionContext,
  Implementation,
  IntegrationAction,
  LookContext,
} from '../../../shared/server/integration-function/integration-action.ts'
import { type DataApi, openDataApi } from './data-api.ts'
import { cannotBeCalled, loadOfferedFunction, type OfferedFunction } from './offered-function.ts'
import { explainRefusal } from './refusal/explain-refusal.ts'

type Arguments = Record<string, unknown>

/** Every offered function is an action, under the name of its tool. */
export function createActions(env: Environment): Implementation {
  const { url, serviceKey } = readProjectAccess(env)
  const rpc = createRpc({ url, serviceKey })
  const api = openDataApi({ url, serviceKey, publishableKey: readPublishableKey(env) })
  return {
    actions: [],
    async findAction(name) {
      const offered = await loadOfferedFunction(rpc, name)
      return offered && makeAction(offered, { rpc, api })
    },
  }
}

function makeAction(
  offered: OfferedFunction,
  { rpc, api }: { rpc: CallRpc; api: DataApi },
): IntegrationAction {
  const { specification, action } = offered
  return {
    tool: { specification, action },
    async look(args: Arguments, context) {
      return offered.problem || !offered.looks ? undefined : { seen: await see(api, offered, args, context) }
    },
    async run(args: Arguments, context) {
      if (offered.problem) throw new ToolCallError(cannotBeCalled(offered))
      // Without it, nobody can say whether it is still so: as where the look failed.
      if (context.requireUnchanged && offered.looks) {
        context.requireUnchanged(await see(api, offered, args, context))
      }
      const response = await call(api, offered, args, context)
      const text = await readText(response, bodyLimits.function)
      if (response.ok) return readData(text, offered)
      const refusal = { status: response.status, text }
      const error = await explainRefusal(refusal, { tool: specification, args, rpc })
      if (error) throw new ToolCallError(error)
      // Something in front of the database answered: its status says whether the call can have got through.
      return new Response(text, { status: response.status, headers: response.headers })
    },
  }
}

/**
 * Calls it as the user, with their own token. Without one, for a volatile function that was offered as one that only reads,
 * or in a scope, in a transaction to which we give the user's role and claims.
 */
function call(
  api: DataApi,
  offered: OfferedFunction,
  args: Arguments,
  context: ActionContext,
): Promise<Response> {
  const { specification, volatile } = offered
  const { userId, token, clientId, scope } = context
  const isRead = specification.effect === 'read'
  const timeout = AbortSignal.timeout(timeouts.providerMs)
  // A write continues even if nobody waits for it any more, so that its outcome is recorded.
  const signal = isRead ? AbortSignal.any([context.signal, timeout]) : timeout
  if (token && scope === undefined && !(isRead && volatile))
    return api.callAsUser(offered, args, { token, signal })
  return api.callForUser(offered, args, { userId, token, clientId, scope, signal })
}

/** What the function returns on which the approval relies, called as the user: its members, if it is an object or one row. */
async function see(
  api: DataApi,
  offered: OfferedFunction,
  args: Arguments,
  { userId, token, clientId, scope, signal: stopped }: LookContext,
): Promise<Seen> {
  const { looks, specification } = offered
  if (!looks) throw new Error(`${offered.function} is offered without a function to look with.`)
  const given = Object.fromEntries(
    looks.arguments.flatMap((name) => (name in args ? [[name, args[name]]] : [])),
  )
  const signal = AbortSignal.any([stopped, AbortSignal.timeout(timeouts.lookMs)])
  const response =
    token && scope === undefined
      ? await api.callAsUser(looks, given, { token, signal })
      : await api.callForUser(offered, given, { userId, token, clientId, scope, signal, looks: true })
  const text = await readText(response, bodyLimits.function)
  if (!response.ok) {
    const said: Said = { code: 'app_look_failed', values: toolValues(specification) }
    throw new ToolCallError(saidError('unavailable', said))
  }
  const result: unknown = text === '' ? null : parseExactJson(text)
  const [row, ...others] = Array.isArray(result) ? result : [result]
  if (isObject(row) && others.length === 0) return row
  return Array.isArray(result) && result.length === 0 ? {} : { result }
}

/** A function without a result returns whether it is done. */
function readData(text: string, { hasResult }: OfferedFunction): unknown {
  return hasResult && text !== '' ? parseExactJson(text) : { done: true }
}
