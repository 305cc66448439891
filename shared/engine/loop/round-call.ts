import type { Repair } from '../core/repair.ts'
import type { ToolError, ToolSuccess } from '../core/tool-error.ts'
import type { Effect, ToolSpecification } from '../core/tool-specification.ts'
import type { ModelToolCall } from '../models/protocol/model-client.ts'
import type { Intent } from './intent.ts'
import type { ParkedCall } from './run.ts'

/**
 * How a call of a round ended. `parked` has not run: it waits for a decision or the clock. `claimed`: the ledger was
 * told already, by the claim and its end.
 */
export type Outcome =
  /** `repeated`: the result of the same write before, which was not run again. */
  | { status: 'succeeded'; result: ToolSuccess; repeated?: boolean; claimed?: true }
  | {
      status: 'rejected' | 'failed' | 'unknown' | 'cancelled'
      result: ToolError
      retryAt?: number
      claimed?: true
    }
  | { status: 'parked'; parked: ParkedCall }

/** One tool call on its way through a round: what the model wrote, and what became of it. */
export interface RoundCall extends Omit<ModelToolCall, 'id'> {
  /** Ours: in events, the ledger and `toolsUsed`; a parked call keeps it when it goes on. */
  toolCallId: string
  /** Its id in the conversation, where a call that goes on is written a second time. */
  transcriptId: string
  /** The tool it means; the name as written where there is none. */
  toolName: string
  /** The tool an unknown name resembles; `''` when it resembles none. */
  intendedTool: string
  /** Equal for equal calls, see `callKey`; by the raw text where it was refused. */
  key: string
  specification?: ToolSpecification
  effect: Effect
  /** What events, ledger and `toolsUsed` show: the arguments, the raw text where it could not be read. */
  input: Record<string, unknown> | string
  /** Prepared arguments; absent when the call was refused. */
  args: Record<string, unknown> | undefined
  repairs: Repair[]
  /** The refusal of a call that could not be prepared. */
  refusal: ToolError | undefined
  /** The open intent it continues. */
  intent?: Intent
  intentNumber: number
  attempt: number
  /** The same arguments have failed before. */
  repeated: boolean
  repetition: number
  /** The same call of the same round: it shares that one's intent and, for a write, its outcome. */
  duplicateOf?: RoundCall
  /** A person or the clock let it go on: nothing is asked again. */
  approved: boolean
  /** A person declined it. */
  denial?: ToolError
}
