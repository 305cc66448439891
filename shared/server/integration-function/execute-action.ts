import { changesBetween, type Look, type Seen } from '../../engine/core/seen.ts'
import { storableJson } from '../../engine/core/storable-json.ts'
import { timeouts } from '../../engine/core/timeouts.ts'
import {
  Changed,
  saidError,
  ToolCallError,
  type ToolError,
  type ToolResult,
} from '../../engine/core/tool-error.ts'
import type { FreePlaces, ToolModelUse, Verification } from '../../engine/core/tool-specification.ts'
import type { Write } from '../../engine/core/write.ts'
import { findThrown } from '../../engine/failures/classify-error.ts'
import { outcomeUnknown } from '../../engine/failures/outcome-unknown.ts'
import { readServerQuestion } from '../../engine/failures/server-question.ts'
import { carriedOut, notCarriedOut } from '../../engine/loop/round/execute-tool-call.ts'
import { judgeReturned, judgeThrown, readReturned, type ToolCall } from '../../engine/tools/tool-outcome.ts'
import { titleOf } from '../../engine/wording/tool-title.ts'
import type { IntegrationProvider } from '../../integrations/definition/integration.ts'
import { findMissingAccess } from '../../integrations/definition/missing-access.ts'
import { requireAccount } from '../authentication/account.ts'
import { createConnectionHandles, type StoredConnection } from '../connections/stored-connection.ts'
import { type Keyring, KeyringError, readKeyring } from '../credentials/keyring.ts'
import { missingCredentialsKey } from '../credentials/missing-key.ts'
import { type CallRpc, DatabaseError } from '../database/call-rpc.ts'
import type { FileStore } from '../files/file-store.ts'
import { ApiError } from '../http/api-error.ts'
import { type AppUrls, noApp, withAppLink } from '../links/app-urls.ts'
import { describeCause, writeLog } from '../log/log-line.ts'
import type { OAuthServers } from '../oauth/oauth-server.ts'
import { earlierResult } from './earlier-result.ts'
import {
  amendNote,
  beginEffect,
  callOffEffect,
  type Delivery,
  loadEffect,
  noteEffect,
  settleAsked,
  settleEffect,
} from './effect-record.ts'
import type { ActionContext, IntegrationAction } from './integration-action.ts'
import { logServiceAway } from './service-away.ts'
import { switchedOff } from './switched-off.ts'
import { loadConnections, markConnection, providerIdsOf } from './tool-connections.ts'
import { withoutSecrets } from './without-secrets.ts'

/** A checked call by an authenticated caller. */
export interface ActionCall {
  userId: string
  agentId?: string
  /** What the conversation belongs to in the app, as its client says. */
  scope?: string
  /** The user's own token; absent if the clock acts for them. */
  token?: string
  /** The program over MCP for which it is done, as Supabase's OAuth server knows it. */
  clientId?: string
  hasSecondFactor?: true
  idempotencyKey?: string
  freePlaces?: FreePlaces
  /** What its approval relied on. */
  seen?: Seen
  args: Record<string, unknown>
  /** Of the arguments as they were sent. */
  argumentHash: string
  signal: AbortSignal
  /** Called with the model calls of the action. */
  usedModel(use: ToolModelUse): void
}

export interface ExecutionSettings {
  rpc: CallRpc
  /** `ASKBACK_CREDENTIALS_KEYS`. */
  credentialsKeys: string | undefined
  /** The files of users, if there are any. */
  files?: Pick<FileStore, 'read'>
  /** Refreshes tokens; a provider whose server is absent is not available. */
  oauthServers?: OAuthServers
  /** The base URL of links in errors. */
  appUrls?: AppUrls
}

/** Runs actions: reads directly, writes once per idempotency key, recorded before they are answered. */
export interface Executor {
  execute(action: IntegrationAction, call: ActionCall): Promise<ToolResult>
  /** What the effect of a call depends on, and what of it has changed since `call.seen`; undefined if nobody can say. */
  look(action: IntegrationAction, call: ActionCall): Promise<Look | undefined>
  /** Asks the provider whether the write with this key has happened. */
  verify(action: IntegrationAction, call: ActionCall): Promise<Verification>
}

/** Which connection was opened last, and so produced the result, and why others were skipped. */
interface Health {
  last?: string
  rejected: Map<string, ToolError>
}

const noFiles: Pick<FileStore, 'read'> = { read: async () => undefined }

/** Those of the connections that were opened, also after the action has begun. */
type Secrets = ReadonlySet<string>

type Noting = Pick<ActionContext, 'note' | 'earlierNote'>

export function createExecutor(
  providers: readonly IntegrationProvider[],
  { rpc, credentialsKeys, files = noFiles, oauthServers = {}, appUrls = noApp }: ExecutionSettings,
): Executor {
  let keyring: Promise<Keyring> | undefined
  const openKeyring = () => {
    keyring ??= readKeyring(credentialsKeys)
    return keyring
  }

  async function read(action: IntegrationAction, call: ActionCall): Promise<ToolResult> {
    const stored = needsConnection(action) ? await loadConnections(rpc, call, action.tool) : []
    if (stored === null) return await switchedOff(rpc, action.tool)
    // Anybody with a connection has an account.
    if (stored.length === 0) await requireAccount(rpc, call.userId)
    return await run(action, call, stored, crypto.randomUUID(), { note: async () => {} })
  }

  async function write(action: IntegrationAction, call: ActionCall): Promise<ToolResult> {
    const deliveryId = crypto.randomUUID()
    const start = await beginEffect(rpc, { ...call, deliveryId }, action.tool)
    if ('refused' in start) {
      if (start.refused === 'switched_off') return await switchedOff(rpc, action.tool)
      if (start.refused === 'approvers')
        return saidError('permission_denied', { code: 'approved_elsewhere' }, { resolver: 'nobody' })
      throw new ApiError('idempotency_key_reused')
    }
    if (!start.proceed) return earlierResult(start.write)
    const { write, connections, providerKey, note: ofDelivery } = start.delivery
    const effect = { userId: call.userId, invocationId: write.id, deliveryId }
    let noted = ofDelivery
    const note = async (value: unknown) => {
      if (!(await noteEffect(rpc, effect, noted, value))) throw new ToolCallError(calledOff())
      noted = value
    }
    const startedAt = performance.now()
    const earlierNote = ofDelivery ?? start.earlierNote ?? undefined
    const result = await run(action, call, connections, providerKey, { note, earlierNote })
    const durationMs = performance.now() - startedAt
    // A failed settlement does not undo the effect: the caller is told and settles as well.
    await settle(rpc, effect, result, durationMs).catch((cause) =>
      writeLog('write-not-settled', { tool: action.tool.specification.name }, cause),
    )
    return result
  }

  async function run(
    action: IntegrationAction,
    call: ActionCall,
    stored: readonly StoredConnection[],
    idempotencyKey: string,
    noting: Noting,
  ): Promise<ToolResult> {
    const missing = findMissingAccess(action.tool.specification, call.args, listAccess(action, stored))
    if (missing) return missing
    const health: Health = { rejected: new Map() }
    const opened = await openContext(action, call, stored, health).catch(unopened)
    const result =
      'ok' in opened ? opened : await actWith(action, call, opened, { ...noting, idempotencyKey })
    await noteHealth(call.userId, stored, health, result).catch((cause) =>
      writeLog('connection-not-marked', { tool: action.tool.specification.name }, cause),
    )
    return result
  }

  async function actWith(
    action: IntegrationAction,
    { args, usedModel, freePlaces, seen }: ActionCall,
    { secrets, ...context }: Awaited<ReturnType<typeof openContext>>,
    effect: Noting & Pick<ActionContext, 'idempotencyKey'>,
  ): Promise<ToolResult> {
    const requireUnchanged = (now: Seen) => {
      const changed = seen ? compare(action, seen, now) : []
      if (changed.length > 0) throw new Changed(changed)
    }
    const given = { freePlaces, requireUnchanged: seen && requireUnchanged }
    const about = { ...context, ...effect, ...given, usedModel }
    return withoutSecrets(await act(action, args, about, secrets), [...secrets])
  }

  /** The connections, the first one opened, and the secrets decrypted now or later. */
  async function openContext(
    action: IntegrationAction,
    { userId, agentId, scope, token, clientId, signal }: ActionCall,
    stored: readonly StoredConnection[],
    health: Health = { rejected: new Map() },
  ) {
    const secrets = new Set<string>()
    const connections = createConnectionHandles(stored, {
      userId,
      providers: findProviders(action),
      openKeyring,
      tokens: { rpc, servers: oauthServers },
      onSecret: (secret) => secrets.add(secret),
      onOpen: (id) => {
        health.last = id
      },
      onReject: (id, error) => health.rejected.set(id, error),
    })
    const connection = action.chooses ? undefined : await connections[0]?.open()
    return {
      userId,
      signal,
      secrets,
      connections,
      readFile: (fileId: string) => files.read(userId, fileId),
      agentId: agentId || undefined,
      scope: scope || undefined,
      token: token || undefined,
      clientId: clientId || undefined,
      connection,
    }
  }

  function listAccess(action: IntegrationAction, stored: readonly StoredConnection[]) {
    return findProviders(action).map((provider) => ({
      provider,
      connections: stored.filter((connection) => connection.provider === provider.id),
    }))
  }

  function findProviders({ tool }: IntegrationAction): IntegrationProvider[] {
    return providerIdsOf(tool).map((id) => {
      const provider = providers.find((one) => one.id === id)
      if (!provider) throw new Error(`The provider "${id}" is not one of this function.`)
      return provider
    })
  }

  /** The settings page shows which connections work. */
  async function noteHealth(
    userId: string,
    stored: readonly StoredConnection[],
    { last, rejected }: Health,
    result: ToolResult,
  ) {
    for (const [id, error] of rejected) await markConnection(rpc, userId, id, error)
    const used = stored.find(({ id }) => id === last)
    if (!used || rejected.has(used.id)) return
    if (result.ok && used.status !== 'connected') await markConnection(rpc, userId, used.id, null)
    if (!result.ok && result.errorType === 'authentication_error') {
      await markConnection(rpc, userId, used.id, result)
    }
  }

  return {
    async execute(action, call) {
      try {
        const result = await (action.tool.specification.effect === 'write' ? write : read)(action, call)
        return withAppLink(result, appUrls)
      } catch (error) {
        // Only the first step can fail like this, so nothing has run.
        if (!isDatabaseAway(error)) throw error
        writeLog('database-away', { tool: action.tool.specification.name }, error)
        return saidError('unavailable', { code: 'database_away' })
      }
    },

    async look(action, call) {
      if (!action.look) return undefined
      let secrets: Secrets = new Set()
      try {
        const stored = needsConnection(action) ? await loadConnections(rpc, call, action.tool) : []
        if (stored === null) return undefined
        if (stored.length === 0) await requireAccount(rpc, call.userId)
        if (findMissingAccess(action.tool.specification, call.args, listAccess(action, stored)))
          return undefined
        const signal = AbortSignal.any([call.signal, AbortSignal.timeout(timeouts.lookMs)])
        const { secrets: heard, ...context } = await openContext(action, { ...call, signal }, stored)
        secrets = heard
        const looked = await Promise.race([action.look(call.args as never, context), untilAborted(signal)])
        const changed = looked && call.seen && compare(action, call.seen, looked.seen)
        return looked && withoutSecrets({ ...looked, changed }, [...secrets])
      } catch (cause) {
        writeLog('not-looked-at', { tool: action.tool.specification.name }, hideIn(cause, secrets))
        return undefined
      }
    },

    async verify(action, call) {
      const { idempotencyKey, args } = call
      if (!action.verify || idempotencyKey === undefined) return 'unknown'
      const known = await loadEffect(rpc, call, action.tool)
      if (known === null) await requireAccount(rpc, call.userId)
      if (known?.effectStartedAt == null || known.deliveryId === null) return 'unknown'
      const outcome = knownOutcome(known.write)
      if (outcome !== 'unknown') return outcome
      const { write, deliveryId, note } = known
      const delivery = { userId: call.userId, invocationId: write.id, deliveryId }
      let secrets: Secrets = new Set()
      try {
        if (action.notesFirst && note == null && (await callOffEffect(rpc, delivery))) return 'not_sent'
        const { secrets: heard, ...context } = await openContext(action, call, known.connections)
        secrets = heard
        const effectStartedAt = new Date(known.effectStartedAt)
        const verification = await action.verify(args as never, {
          ...context,
          idempotencyKey: known.providerKey,
          note: note ?? undefined,
          effectStartedAt,
          amend: (changed) => amendNote(rpc, delivery, note, changed),
        })
        // The first answer is recorded, because the provider may answer differently next time.
        const result = verifiedResult(verification, action)
        if (result) await settleEffect(rpc, { ...delivery, result })
        if (result) return verification
        const latest = knownOutcome((await loadEffect(rpc, call, action.tool))?.write)
        return latest === 'unknown' ? verification : latest
      } catch (cause) {
        writeLog('write-not-verified', { tool: action.tool.specification.name }, hideIn(cause, secrets))
        return 'unknown'
      }
    },
  }
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
}

/** As both are stored: text from outside may hold characters that a database cannot keep. */
function compare({ compare: differ = changesBetween }: IntegrationAction, before: Seen, now: Seen) {
  return differ(before, JSON.parse(storableJson(JSON.stringify(now))))
}

/** What a server wants back with an answer is for the conversation that asks, not for the record. */
async function settle(rpc: CallRpc, effect: Delivery, result: ToolResult, durationMs: number): Promise<void> {
  if (result.ok) return await settleEffect(rpc, { ...effect, result, durationMs })
  const { error, parked } = readServerQuestion(result)
  if (!parked || !result.details.parked)
    return await settleEffect(rpc, { ...effect, result: error, durationMs })
  await settleAsked(rpc, { ...effect, result: error, parked: result.details.parked, durationMs })
}

/** What the ledger says, also if somebody else has asked the provider in the meantime. */
function knownOutcome(known: Write | undefined): Verification {
  if (known?.status === 'succeeded') return 'sent'
  return known?.status === 'failed' ? 'not_sent' : 'unknown'
}

/** Also if it was already turned into a sentence. */
function isDatabaseAway(error: unknown): boolean {
  const cause = error instanceof ApiError ? error.cause : error
  return cause instanceof DatabaseError && cause.transient
}

/** The recorded result of a write after asking its provider. */
function verifiedResult(verification: Verification, { tool }: IntegrationAction): ToolResult | undefined {
  if (verification === 'sent') return carriedOut
  if (verification !== 'not_sent') return undefined
  return notCarriedOut(tool.specification)
}

function needsConnection({ tool }: IntegrationAction): boolean {
  return providerIdsOf(tool).length > 0
}

/** The run was stopped, or another delivery has taken over. */
function calledOff(): ToolError {
  return saidError('cancelled', { code: 'call_cancelled' })
}

function unopened(cause: unknown): ToolError {
  if (cause instanceof ToolCallError) return cause.toolError
  if (!(cause instanceof KeyringError)) throw cause
  writeLog('credentials-key-missing', {}, cause)
  return missingCredentialsKey()
}

/** Runs the action, and adds the tool's summary if it has one. */
async function act(
  action: IntegrationAction,
  args: ActionCall['args'],
  context: Omit<ActionContext, 'effectBegins'>,
  secrets: Secrets,
): Promise<ToolResult> {
  const call = { tool: action.tool.specification, args, effectBegan: false }
  const effectBegins = () => {
    call.effectBegan = true
  }
  return await action
    .run(args as never, { ...context, effectBegins })
    .then(readReturned)
    .then(
      (returned) => judgeReturned(returned, call),
      (cause) => judgeFailure(cause, call, secrets),
    )
}

/** For the log: a library may quote what it was given. */
function hideIn(cause: unknown, secrets: Secrets): string {
  return withoutSecrets(describeCause(cause), [...secrets])
}

/** An unexpected error is a bug of ours; after a write nobody then knows whether it happened. */
function judgeFailure(cause: unknown, call: ToolCall, secrets: Secrets): ToolError {
  const error = judgeThrown(cause, call)
  if (findThrown(cause)) return error
  logServiceAway(call.tool.name, error, cause)
  if (error.errorType !== 'execution_error') return error
  writeLog('action-fault', { tool: call.tool.name }, hideIn(cause, secrets))
  if (call.tool.effect === 'read') return error
  return outcomeUnknown({ how: 'fault', tool: titleOf(call.tool) })
}
