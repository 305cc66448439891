import { systemClock } from '../shared/engine/core/clock.ts'
import {
  type Change,
  type Compare,
  changesBetween,
  type Look,
  type Seen,
} from '../shared/engine/core/seen.ts'
import { ToolCallError } from '../shared/engine/core/tool-error.ts'
import type { Tool } from '../shared/engine/core/tool-specification.ts'
import { type Executed, executeToolCall } from '../shared/engine/loop/round/execute-tool-call.ts'
import { defaultLimits } from '../shared/engine/loop/run/limits.ts'
import { judgeReturned, judgeThrown, readReturned } from '../shared/engine/tools/tool-outcome.ts'
import type { CallRpc } from '../shared/server/database/call-rpc.ts'
import type { IntegrationAction } from '../shared/server/integration-function/integration-action.ts'
import { implement } from '../supabase/functions/docs-api/actions.ts'
import { googleDocs } from '../supabase/functions/docs-api/integration.ts'

const driveFile = 'https://www.googleapis.com/auth/drive.file'

export interface DocumentCallers {
  /** Runs a call as the loop does: judged, tried again where that is safe, verified where its outcome is unknown. */
  call(name: string, args: Record<string, unknown>, options?: { key?: string }): Promise<Executed>
  /** One delivery to the function, and nothing more. */
  deliver(name: string, args: Record<string, unknown>, key: string): Promise<unknown>
  /** What its tool sees now, if it looks. */
  look(name: string, args: Record<string, unknown>): Promise<Look | undefined>
  compare: (name: string, ...seen: Parameters<Compare>) => Change[]
  verify(name: string, args: Record<string, unknown>, key: string, startedAt?: Date): Promise<string>
  /** What deliveries have noted, by key. */
  notes: Map<string, unknown>
}

export interface CallerOptions {
  userId?: string
  rpc?: CallRpc
  /** Connected to Google there, with this access token. */
  google?: {
    url: string
    token: string
    scopes?: string[]
    /** What is got instead of a token that Google has refused. */
    renewed?: string
  }
  /** Throws if what an approval relied on has changed. */
  requireUnchanged?: (now: Seen) => void
  /** Done just before a note is stored: the last moment before an effect. */
  beforeEffect?: () => unknown
}

const noDatabase: CallRpc = async (name) => {
  if (name === 'search_documents') return []
  if (name === 'earlier_change') return null
  throw new Error(`No database in this test, and ${name} was called.`)
}

/** The actions of docs-api, called without HTTP and without the ledger, whose notes are kept here. */
export function documentCallers(options: CallerOptions): DocumentCallers {
  const { userId = crypto.randomUUID(), rpc = noDatabase, google, requireUnchanged, beforeEffect } = options
  const hosts = { docs: google?.url ?? 'http://127.0.0.1:1', drive: google?.url ?? 'http://127.0.0.1:1' }
  const { actions } = implement({ rpc, hosts })
  const notes = new Map<string, unknown>()
  const accessToken = async ({ instead }: { instead?: string } = {}) =>
    (instead && google?.renewed) || google?.token || ''
  const facts = { id: 'c', provider: googleDocs, label: '', account: null, status: 'connected' as const }
  const opened = { ...facts, values: {}, accessToken }
  const scopes = google?.scopes ?? [driveFile]
  const handle = { ...facts, scopes, pinned: false, metadata: {}, open: async () => opened, reject() {} }
  const access = google ? { connection: opened, connections: [handle] } : { connections: [] }

  const find = (name: string): IntegrationAction<Record<string, unknown>> => {
    const found = actions.find(({ tool }) => tool.specification.name === name)
    if (!found) throw new Error(`There is no action ${name}.`)
    return found as unknown as IntegrationAction<Record<string, unknown>>
  }

  const run = async (name: string, args: Record<string, unknown>, key: string) => {
    const { tool, run } = find(name)
    const call = { tool: tool.specification, args, effectBegan: false }
    const context = {
      userId,
      ...access,
      idempotencyKey: key,
      signal: new AbortController().signal,
      effectBegins: () => {
        call.effectBegan = true
      },
      usedModel() {},
      readFile: async () => undefined,
      note: async (value: unknown) => {
        await beforeEffect?.()
        notes.set(key, value)
      },
      ...(requireUnchanged ? { requireUnchanged } : {}),
      ...(notes.has(key) ? { earlierNote: notes.get(key) } : {}),
    }
    return await run(args, context)
      .then(readReturned)
      .then(
        (returned) => judgeReturned(returned, call),
        (cause) => judgeThrown(cause, call),
      )
  }

  const verify = async (name: string, args: Record<string, unknown>, key: string, startedAt = new Date()) =>
    (await find(name).verify?.(args, {
      userId,
      ...access,
      idempotencyKey: key,
      signal: new AbortController().signal,
      note: notes.get(key),
      amend: async () => true,
      effectStartedAt: startedAt,
    })) ?? 'unknown'

  const call: DocumentCallers['call'] = async (name, args, { key = crypto.randomUUID() } = {}) => {
    const tool: Tool = {
      specification: find(name).tool.specification,
      async execute(given) {
        const result = await run(name, given, key)
        if (!result.ok) throw new ToolCallError(result)
        return result
      },
      verify: (given) => verify(name, given, key),
    }
    return await executeToolCall(
      { tool, args, idempotencyKey: key, attempt: 1 },
      {
        clock: { ...systemClock, sleep: async () => {}, random: () => 0 },
        limits: defaultLimits,
        signal: new AbortController().signal,
      },
    )
  }
  const look: DocumentCallers['look'] = async (name, args) =>
    await find(name).look?.(args, { userId, ...access, signal: new AbortController().signal })
  const compare: DocumentCallers['compare'] = (name, before, now) =>
    (find(name).compare ?? changesBetween)(before, now)
  return { call, deliver: run, look, compare, verify, notes }
}
