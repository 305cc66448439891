import { z } from 'zod'
import { waitBeforeTry } from '../../engine/core/backoff.ts'
import { systemClock } from '../../engine/core/clock.ts'
import { timeouts } from '../../engine/core/timeouts.ts'
import type { ToolError, ToolResult } from '../../engine/core/tool-error.ts'
import type { CatalogueTool } from '../../integrations/definition/integration.ts'
import { storedConnectionSchema } from '../connections/stored-connection.ts'
import type { CallRpc } from '../database/call-rpc.ts'
import { writeSchema } from '../database/write-schema.ts'
import { providerIdsOf } from './tool-connections.ts'

/** One delivery of a write to an integration function. */
export interface EffectDelivery {
  /** Made here, once per HTTP request, so that begin_effect may be retried with it. */
  deliveryId: string
  userId: string
  agentId?: string
  idempotencyKey?: string
  args: Record<string, unknown>
  argumentHash: string
  hasSecondFactor?: true
}

/** A write whose function may run its effect, or ask its provider about it (SQL `delivery_json`). */
const deliverySchema = z.object({
  write: writeSchema,
  deliveryId: z.string().nullable(),
  /** What the provider is told. */
  providerKey: z.string(),
  /** How the effect can be found: recorded by this delivery, or an earlier one that did not happen. */
  note: z.unknown(),
  /** ISO 8601. */
  effectStartedAt: z.string().nullable(),
  connections: z.array(storedConnectionSchema),
})

const effectStartSchema = z.union([
  z.object({
    proceed: z.literal(true),
    delivery: deliverySchema,
    /** From an earlier write of unknown outcome, whose provider key this one keeps. */
    earlierNote: z.unknown(),
  }),
  /** It is already running, done or cancelled. */
  z.object({ proceed: z.literal(false), write: writeSchema }),
  z.object({ proceed: z.literal(false), refused: z.enum(['mismatch', 'switched_off', 'approvers']) }),
])
export type EffectStart = z.infer<typeof effectStartSchema>

/** A settlement that arrives later than this still counts. */
const leaseSeconds = timeouts.effectLeaseMs / 1000
/** How often to ask about a delivery that is running elsewhere; about 20 s with the waits in between. */
const mostQuestions = 11

/**
 * Asks the ledger whether this delivery may run. Of all deliveries with one key exactly one may; while it runs, the
 * others wait here for its result.
 */
export async function beginEffect(
  rpc: CallRpc,
  { userId, args, deliveryId, idempotencyKey, argumentHash, agentId, hasSecondFactor }: EffectDelivery,
  tool: CatalogueTool,
): Promise<EffectStart> {
  // One by one: its caller also has the token of the user.
  const effect = {
    ...{ deliveryId, idempotencyKey, argumentHash, agentId, hasSecondFactor, leaseSeconds },
    arguments: args,
    toolName: tool.specification.name,
    providers: providerIdsOf(tool),
  }
  const begin = async () =>
    effectStartSchema.parse(await rpc('begin_effect', { p_user_id: userId, p_effect: effect }))
  let start = await begin()
  for (let asked = 1; asked <= mostQuestions && isRunning(start); asked++) {
    await systemClock.sleep(waitBeforeTry(asked, { baseMs: 100, longestMs: 3000 }))
    start = await begin()
  }
  return start
}

function isRunning(start: EffectStart): boolean {
  return 'write' in start && start.write.status === 'running'
}

/** Records how it ended; the first settlement counts. */
export async function settleEffect(
  rpc: CallRpc,
  end: Delivery & { result: ToolResult; durationMs?: number },
): Promise<void> {
  await rpc('settle_invocation', {
    ...parametersOf(end),
    p_status: chooseStatus(end.result),
    p_result: end.result,
    p_duration_ms: end.durationMs === undefined ? null : Math.round(end.durationMs),
  })
}

/** Records that it ended with a question of its server, and keeps that until the conversation has it. */
export async function settleAsked(
  rpc: CallRpc,
  end: Delivery & { result: ToolError; parked: Parked; durationMs: number },
): Promise<void> {
  await rpc('settle_asked', {
    ...parametersOf(end),
    p_result: end.result,
    p_parked: end.parked,
    p_duration_ms: Math.round(end.durationMs),
  })
}

/** As its server has sent it. */
type Parked = NonNullable<ToolError['details']['parked']>

/** An action reports `outcome_unknown` if it may have happened; every other error means that it did not. */
function chooseStatus(result: ToolResult): 'succeeded' | 'failed' | 'unknown' {
  if (result.ok) return 'succeeded'
  return result.errorType === 'outcome_unknown' ? 'unknown' : 'failed'
}

/** The ledger's record of a write, and the connections to ask its provider; null if there is none. */
export async function loadEffect(
  rpc: CallRpc,
  { userId, idempotencyKey, argumentHash, agentId }: Omit<EffectDelivery, 'deliveryId' | 'args'>,
  tool: CatalogueTool,
): Promise<z.infer<typeof deliverySchema> | null> {
  const toolName = tool.specification.name
  const effect = { idempotencyKey, argumentHash, agentId, toolName, providers: providerIdsOf(tool) }
  return deliverySchema.nullable().parse(await rpc('load_effect', { p_user_id: userId, p_effect: effect }))
}

/** Records how an effect can be found later, in place of `earlier`. False if the delivery may no longer run. */
export async function noteEffect(
  rpc: CallRpc,
  effect: Delivery,
  earlier: unknown,
  note: unknown,
): Promise<boolean> {
  const notes = { p_earlier: earlier ?? null, p_note: note ?? null }
  return (await rpc('note_effect', { ...parametersOf(effect), ...notes })) === true
}

/** A delivery that was allowed to run its effect. */
export interface Delivery {
  userId: string
  invocationId: string
  deliveryId: string
}

/** Cancels a delivery that has recorded nothing. False if it has, or is over: then it may have had its effect. */
export async function callOffEffect(rpc: CallRpc, delivery: Delivery): Promise<boolean> {
  return (await rpc('call_off_effect', parametersOf(delivery))) === true
}

/** Replaces what a delivery has recorded, unless somebody else has in the meantime. */
export async function amendNote(
  rpc: CallRpc,
  delivery: Delivery,
  earlier: unknown,
  note: unknown,
): Promise<boolean> {
  const notes = { p_earlier: earlier ?? null, p_note: note ?? null }
  return (await rpc('amend_note', { ...parametersOf(delivery), ...notes })) === true
}

function parametersOf({ userId, invocationId, deliveryId }: Delivery) {
  return { p_user_id: userId, p_invocation_id: invocationId, p_delivery_id: deliveryId }
}
