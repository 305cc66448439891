import { z } from 'zod'
import { argumentHash } from '../../../../shared/engine/core/canonical-json.ts'
import { systemClock } from '../../../../shared/engine/core/clock.ts'
import { isObject } from '../../../../shared/engine/core/json-value.ts'
import { lost } from '../../../../shared/engine/core/lost.ts'
import { overtaken } from '../../../../shared/engine/core/overtaken.ts'
import { timeouts } from '../../../../shared/engine/core/timeouts.ts'
import {
  isWholeToolError,
  type ToolError,
  type ToolResult,
} from '../../../../shared/engine/core/tool-error.ts'
import type {
  Claim,
  Invocation,
  InvocationStatus,
  Ledger,
} from '../../../../shared/engine/loop/run/ledger.ts'
import { shortenOutput } from '../../../../shared/engine/tools/shorten-output.ts'
import type { UserMessage } from '../../../../shared/engine/transcript/entry.ts'
import { accountRefusal, accountRefused } from '../../../../shared/server/authentication/account.ts'
import { askAgain } from '../../../../shared/server/database/ask-again.ts'
import type { CallRpc } from '../../../../shared/server/database/call-rpc.ts'
import { versionRefused } from '../../../../shared/server/database/version-refused.ts'
import { liveWriteSchema, writeSchema } from '../../../../shared/server/database/write-schema.ts'
import type { ApiError } from '../../../../shared/server/http/api-error.ts'
import { writeLog } from '../../../../shared/server/log/log-line.ts'
import { schemaVersion } from '../../../../shared/server/version.ts'
import type { EntryBuffer } from './entry-buffer.ts'
import { throttleOf, throttleSchema } from './reached-limit.ts'

/** An invocation without a claim: written at the end of the run. */
export interface RecordedInvocation extends Invocation {
  status: InvocationStatus
  result: ToolResult
  durationMs: number
  /** When the call started, ISO 8601. */
  createdAt: string
}

/** What the ledger knows of a write whose answer was lost. `not_run`: and never will, because its claim is withdrawn. */
export type FoundOutcome = { settled: ToolResult } | 'not_run' | 'unknown'

/** Milliseconds after which a write that nobody is waiting for asks again. */
const askAgainMs = 1000

/** The ledger of one run in the database. */
export interface RunLedger extends Ledger {
  readonly recorded: readonly RecordedInvocation[]
  /** Why a claim was refused for this run as a whole: of this version of the code, or of the user's account. */
  readonly refusal: ApiError | undefined
  /** Asks the ledger about a write that the integration function did not answer for. */
  findOutcome(idempotencyKey: string): Promise<FoundOutcome>
}

/**
 * Stores the invocations of a run in `askback.tool_executions`: claims and settlements immediately, the rest at its end.
 * Each call also stores the entries written since the last one. A write while nobody is waiting for the answer
 * (`openai/client-connection.ts`) asks again every second, until `deadline` (milliseconds since 1970) at most:
 * then the run stops. A claim that a busy or absent database has not answered is looked up and made again, and how a write
 * ended is sent again (`ask-again.ts`).
 * The run also stops if the database no longer accepts this version of the code, or the user's account may no longer act.
 */
export function createRunLedger(
  run: {
    runId: string
    userId: string
    deadline: number
    canWait: boolean
    /** Names of tools for which the agent has a standing permission. */
    permissions: readonly string[]
  },
  rpc: CallRpc,
  buffer: EntryBuffer,
): RunLedger {
  const recorded: RecordedInvocation[] = []
  /** The row that a settlement belongs to: our own, or that of the earlier identical write. */
  const rows = new Map<string, string>()
  const invocationsByKey = new Map<string, string>()
  let refusal: ApiError | undefined

  /**
   * A claim without an answer may be stored all the same. Nobody has its key, so it is withdrawn before it is made again: its
   * lease may be over by then, and it would count as a write that may have been carried out.
   */
  async function lookUp({ id, toolName }: Invocation): Promise<void> {
    const args = { p_user_id: run.userId, p_invocation_id: id }
    const found = foundSchema.parse(await rpc('verify_invocation', args))
    writeLog('claim-looked-up', { runId: run.runId, tool: toolName, wasStored: found !== null })
  }

  /** What its server asks first is kept apart from the result. */
  async function withQuestion(result: ToolResult, invocationId: string): Promise<ToolResult> {
    if (result.ok || result.details.asked?.code !== 'server_asks') return result
    const args = { p_user_id: run.userId, p_invocation_id: invocationId }
    const found = await askAgain(() => rpc('parked_question', args), run.deadline)
    const parked = parkedSchema.nullable().parse(found)
    return parked ? withParked(result, parked) : result
  }

  return {
    recorded,
    get refusal() {
      return refusal
    },
    async claim(invocation): Promise<Claim> {
      const terms = { version: schemaVersion, leaseSeconds: timeouts.claimLeaseMs / 1000 }
      const p_invocation = { ...(await describe(invocation)), ...terms }
      const ask = () =>
        buffer.flush(
          async (p_entries) =>
            claimSchema.parse(
              await rpc('claim_invocation', { p_run_id: run.runId, p_invocation, p_entries }),
            ),
          (reply) => reply.status !== 'stopped' && !isRefusal(reply),
        )
      const askSurely = () =>
        askAgain(async (tries) => {
          if (tries > 1) await lookUp(invocation)
          return await ask()
        }, run.deadline)
      let reply = await askSurely()
      while (reply.status === 'left' && Date.now() < run.deadline) {
        await systemClock.sleep(askAgainMs)
        reply = await askSurely()
      }
      if (isRefusal(reply)) {
        refusal ??= reply.status === 'version_not_accepted' ? versionRefused() : accountRefused(reply.status)
        return { claimed: false, status: 'stopped' }
      }
      if (reply.status === 'stopped' || reply.status === 'left') {
        const { isLost, isOvertaken } = reply as { isLost?: boolean; isOvertaken?: boolean }
        const reason = isLost ? lost : isOvertaken ? overtaken : undefined
        return { claimed: false, status: 'stopped', reason }
      }
      if (reply.status === 'not_permitted') {
        return { claimed: false, status: 'not_permitted', spent: reply.spent }
      }
      if (reply.status === 'limited') {
        return { claimed: false, status: 'limited', throttle: throttleOf(reply.hold, run.canWait) }
      }
      if (reply.status === 'asked') {
        return { claimed: false, status: 'asked', error: withParked(reply.result, reply.parked) }
      }
      if (reply.status === 'same') {
        const { earlier, isPermitted } = reply
        return { claimed: false, status: 'same', earlier, isPermitted }
      }
      if (reply.claimed) {
        const { invocationId, idempotencyKey, isSecond = false } = reply
        rows.set(invocation.id, invocationId)
        invocationsByKey.set(idempotencyKey, invocationId)
        return { claimed: true, idempotencyKey, ...(isSecond ? { isSecond } : {}) }
      }
      const { status, write, latestRepetition: latest } = reply
      rows.set(invocation.id, write.id)
      invocationsByKey.set(write.idempotencyKey, write.id)
      return { claimed: false, status, write, latest }
    },

    mayPermit: (toolName) => run.permissions.includes(toolName),

    async settle(invocation, { status, result, durationMs }) {
      // The effect has happened or not, whatever becomes of this record. Without it the row becomes `unknown` when its
      // lease ends, and people are asked about what they were told is done.
      const settlement = {
        p_user_id: run.userId,
        p_invocation_id: rows.get(invocation.id) ?? invocation.id,
        p_status: status,
        p_result: keptResult(result),
        p_duration_ms: Math.round(durationMs),
        p_run_id: run.runId,
      }
      const store = () =>
        buffer.flush(
          async (p_entries) =>
            settledSchema.parse(await rpc('settle_invocation', { ...settlement, p_entries })),
          (reply) => reply.stored,
        )
      await askAgain(store, run.deadline).catch((error) =>
        writeLog('write-not-settled', { runId: run.runId, tool: invocation.toolName }, error),
      )
    },

    record(invocation, { status, result, durationMs }) {
      recorded.push({
        ...stored(invocation),
        status,
        result: keptResult(result),
        durationMs: Math.round(durationMs),
        createdAt: new Date(Date.now() - durationMs).toISOString(),
      })
    },

    async findSame(invocation) {
      const args = { p_run_id: run.runId, p_invocation: await describe(invocation) }
      const found = await askAgain(() => rpc('find_same_write', args), run.deadline)
      return earlierSchema.nullable().parse(found) ?? undefined
    },

    async outcomes(_runId, toolCallIds) {
      const args = { p_run_id: run.runId, p_tool_call_ids: [...toolCallIds] }
      return z.array(writeSchema).parse(await rpc('write_outcomes', args))
    },

    async findOutcome(idempotencyKey) {
      const invocationId = invocationsByKey.get(idempotencyKey)
      if (invocationId === undefined) return 'unknown'
      const args = { p_user_id: run.userId, p_invocation_id: invocationId }
      const reply = foundSchema.parse(await askAgain(() => rpc('verify_invocation', args), run.deadline))
      if (reply?.result && (reply.status === 'succeeded' || reply.status === 'failed')) {
        return { settled: await withQuestion(reply.result, invocationId) }
      }
      return reply?.status === 'failed' ? 'not_run' : 'unknown'
    },
  }
}

async function describe(invocation: Invocation) {
  return { ...stored(invocation), argumentHash: await argumentHash(invocation.arguments) }
}

const typedSchema = z.object({
  content: z
    .custom<UserMessage['content']>()
    .nullable()
    .transform((content) => content ?? ''),
  forms: z.array(z.record(z.string(), z.unknown())),
})

/** An `EarlierWrite` (SQL `earlier_json`). */
const earlierSchema = z.object({
  write: liveWriteSchema,
  nextRepetition: z.number().nullable(),
  otherWords: z
    .object({
      led: typedSchema.nullable(),
      typed: z.array(typedSchema),
      writes: z.array(z.record(z.string(), z.unknown())),
    })
    .nullable(),
})

const refusedSchema = z.object({
  claimed: z.literal(false),
  status: z.enum([...accountRefusal.options, 'version_not_accepted']),
})

/** What a server has asked, as it has sent it. */
const parkedSchema = z.custom<NonNullable<ToolError['details']['parked']>>(isObject)

/** The error of a write whose server asks something first, whole again. */
function withParked(error: ToolError, parked: z.infer<typeof parkedSchema>): ToolError {
  return { ...error, details: { ...error.details, parked } }
}

const claimSchema = z.union([
  z.object({
    claimed: z.literal(false),
    status: z.literal('stopped'),
    isOvertaken: z.boolean().optional(),
    isLost: z.boolean().optional(),
  }),
  z.object({ claimed: z.literal(false), status: z.literal('left') }),
  refusedSchema,
  z.object({
    claimed: z.literal(false),
    status: z.literal('not_permitted'),
    spent: z
      .object({ pattern: z.string(), max: z.number(), per: z.enum(['minute', 'hour', 'day']) })
      .optional(),
  }),
  z.object({
    claimed: z.literal(false),
    status: z.literal('same'),
    earlier: earlierSchema,
    isPermitted: z.boolean(),
  }),
  z.object({
    claimed: z.literal(false),
    status: z.literal('asked'),
    result: z.custom<ToolError>(isWholeToolError),
    parked: parkedSchema,
  }),
  z.object({ claimed: z.literal(false), status: z.literal('limited'), hold: throttleSchema }),
  z.object({
    claimed: z.literal(true),
    status: z.undefined().optional(),
    invocationId: z.string(),
    idempotencyKey: z.string(),
    isSecond: z.boolean().optional(),
  }),
  z.object({
    claimed: z.literal(false),
    status: z.enum(['running', 'succeeded', 'unknown']),
    write: writeSchema,
    latestRepetition: z.number(),
  }),
])

function isRefusal(reply: z.infer<typeof claimSchema>): reply is z.infer<typeof refusedSchema> {
  return refusedSchema.safeParse(reply).success
}

const settledSchema = z.object({ stored: z.boolean() })

/** `failed` without a result: the effect had not started, and now it never will. */
const foundSchema = writeSchema.nullable()

/** Bytes of a result that the ledger keeps. */
const resultLimit = 1024 * 1024

function keptResult(result: ToolResult): ToolResult {
  return result.ok ? { ok: true, data: shortenOutput(result.data ?? null, resultLimit).data } : result
}

/** Without the engine's own run id, because the row belongs to the database's run, and without what is stored there anyway. */
function stored({ runId: _, typed: __, ...invocation }: Invocation): Invocation {
  return invocation as Invocation
}
