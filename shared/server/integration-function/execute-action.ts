import { ToolCallError, type ToolError, type ToolResult, toolError } from '../../engine/core/tool-error.ts'
import { findThrown } from '../../engine/failures/classify-error.ts'
import { outcomeUnknown } from '../../engine/failures/outcome-unknown.ts'
import { judgeReturned, judgeThrown, readReturned, type ToolCall } from '../../engine/tools/tool-outcome.ts'
import { titleOf } from '../../engine/wording/tool-title.ts'
import { providers } from '../../integrations/catalogue.ts'
import { missingCredentialsKey, notConnected } from '../../integrations/definition/connection-error.ts'
import type { CatalogueTool, IntegrationProvider } from '../../integrations/definition/integration.ts'
import { openConnection, type StoredConnection } from '../connections/stored-connection.ts'
import { type Keyring, KeyringError, readKeyring } from '../credentials/keyring.ts'
import { type CallRpc, DatabaseError } from '../database/call-rpc.ts'
import { writeLog } from '../log/log-line.ts'
import { earlierResult } from './earlier-result.ts'
import { beginEffect, loadConnection, markConnection, providerIdsOf, settleEffect } from './effect-record.ts'
import type { ActionContext, IntegrationAction } from './integration-action.ts'
import { withoutSecrets } from './without-secrets.ts'

/** A checked call of an authenticated caller. */
export interface ActionCall {
  userId: string
  agentId?: string
  idempotencyKey?: string
  args: Record<string, unknown>
  /** Of the arguments as they were sent. */
  argumentHash: string
}

export interface ExecutionSettings {
  rpc: CallRpc
  /** `ASKBACK_CREDENTIALS_KEYS`. */
  credentialsKeys: string | undefined
}

/** Runs actions: reads freely, writes once per idempotency key, and written down before they are answered. */
export function createExecutor({ rpc, credentialsKeys }: ExecutionSettings) {
  let keyring: Promise<Keyring> | undefined
  const openKeyring = () => {
    keyring ??= readKeyring(credentialsKeys)
    return keyring
  }

  async function read(action: IntegrationAction, call: ActionCall): Promise<ToolResult> {
    const stored = needsConnection(action) ? await loadConnection(rpc, call, action.tool) : null
    return await run(action, call, stored, crypto.randomUUID())
  }

  async function write(action: IntegrationAction, call: ActionCall): Promise<ToolResult> {
    const deliveryId = crypto.randomUUID()
    const start = await beginEffect(rpc, { ...call, deliveryId }, action.tool)
    if (!start.proceed) return earlierResult(start)
    const startedAt = performance.now()
    const result = await run(action, call, start.connection, start.idempotencyKey)
    const durationMs = performance.now() - startedAt
    // A failed settlement changes nothing about what has happened: the caller hears of it and settles as well.
    await settleEffect(rpc, { ...start, userId: call.userId, deliveryId, result, durationMs }).catch(
      (cause) => writeLog('write-not-settled', { tool: action.tool.specification.name }, cause),
    )
    return result
  }

  async function run(
    action: IntegrationAction,
    { userId, args }: ActionCall,
    stored: StoredConnection | null,
    idempotencyKey: string,
  ): Promise<ToolResult> {
    if (!needsConnection(action)) return await act(action, args, { userId, idempotencyKey })
    const provider = providerOf(action.tool, stored)
    if (!stored) return notConnected(provider)
    const result = await openKeyring()
      .then((keyring) => openConnection(stored, { userId, provider, keyring }))
      .then((connection) => act(action, args, { userId, connection, idempotencyKey }), unopened)
    await noteHealth(userId, stored, result).catch((cause) =>
      writeLog('connection-not-marked', { tool: action.tool.specification.name }, cause),
    )
    return result
  }

  /** The settings page shows which connections work. */
  async function noteHealth(userId: string, { id, status }: StoredConnection, result: ToolResult) {
    if (result.ok && status === 'broken') await markConnection(rpc, userId, id, null)
    if (!result.ok && result.errorType === 'authentication_error') {
      await markConnection(rpc, userId, id, result.error)
    }
  }

  return async (action: IntegrationAction, call: ActionCall): Promise<ToolResult> => {
    try {
      return await (action.tool.specification.effect === 'write' ? write : read)(action, call)
    } catch (error) {
      // Only the beginning can fail like this, so nothing has run.
      if (!(error instanceof DatabaseError && error.transient)) throw error
      writeLog('database-away', { tool: action.tool.specification.name }, error)
      return toolError('unavailable', 'The database cannot be reached right now, so nothing was done.')
    }
  }
}

function needsConnection({ tool }: IntegrationAction): boolean {
  return providerIdsOf(tool).length > 0
}

function providerOf(tool: CatalogueTool, stored: StoredConnection | null): IntegrationProvider {
  const id = stored?.provider ?? providerIdsOf(tool)[0]
  const provider = providers.find((one) => one.id === id)
  if (!provider) throw new Error(`The provider "${id}" is not in the catalogue.`)
  return provider
}

function unopened(cause: unknown): ToolError {
  if (cause instanceof ToolCallError) return cause.toolError
  if (!(cause instanceof KeyringError)) throw cause
  writeLog('credentials-key-missing', {}, cause)
  return missingCredentialsKey()
}

/** Runs the action, and says what became of it in the words of the tool where it has any. */
async function act(
  action: IntegrationAction,
  args: ActionCall['args'],
  context: Omit<ActionContext, 'effectBegins'>,
): Promise<ToolResult> {
  const call = { tool: action.tool.specification, args, effectBegan: false }
  const effectBegins = () => {
    call.effectBegan = true
  }
  const result = await action
    .run(args as never, { ...context, effectBegins })
    .then(readReturned)
    .then(
      (returned) => judgeReturned(returned, call),
      (cause) => failureOf(cause, call),
    )
  return withoutSecrets(result, context.connection?.secrets ?? [])
}

/** What an action did not foresee is a fault of ours; of a write nobody then knows whether it happened. */
function failureOf(cause: unknown, call: ToolCall): ToolError {
  const error = judgeThrown(cause, call)
  if (findThrown(cause) || error.errorType !== 'execution_error') return error
  writeLog('action-fault', { tool: call.tool.name }, cause)
  if (call.tool.effect === 'read') return error
  return outcomeUnknown(
    `"${titleOf(call.tool)}" ended with an unexpected error, so it may have been carried out.`,
  )
}
