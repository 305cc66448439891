import type { Permission } from '../../core/permission.ts'
import type { Repair } from '../../core/repair.ts'
import type { ToolError, ToolResult } from '../../core/tool-error.ts'
import type { Effect } from '../../core/tool-specification.ts'
import type { LiveWrite, Write } from '../../core/write.ts'
import type { Recipients } from '../../provenance/recipients.ts'
import type { TypedMessage } from '../../transcript/typed-messages.ts'
import type { Meaning } from './sameness.ts'
import type { Throttle } from './throttle.ts'

/**
 * rejected: refused before execution; cancelled: denied, stopped, or not made because of another call;
 * failed: provably not executed; unknown: it may have happened.
 */
export type InvocationStatus = 'rejected' | 'running' | 'succeeded' | 'failed' | 'unknown' | 'cancelled'

/** One execution (or refusal) of a tool call. */
export interface Invocation {
  /** Ours, a UUID. */
  id: string
  /** The run, even after it waited and was resumed: one in-memory ledger can serve many runs. */
  runId: string
  /** Also ours: a provider may repeat its own ids. */
  toolCallId: string
  toolName: string
  effect: Effect
  /** 1 to 3, counted per intent. */
  attempt: number
  /** Number of the intent within the run. */
  intent: number
  /** After repairs and resolved slots; the raw text if it could not be parsed. */
  arguments: Record<string, unknown> | string
  repairs: Repair[]
  /** 0, or one more for each approved repetition of the same write in the same turn. */
  repetition: number
  /** For a write: recognises it when it is worded differently. */
  meaning?: Meaning
  /** Calls of the same model reply, which wants everything that it asks for at once. */
  siblings?: string[]
  /** Calls whose cards stood beside its own: a person has approved each, so only equal arguments make them the same. */
  beside?: string[]
  /** ISO 8601: when the item it comes from was asked. It asks again if a write since then means the same. */
  itemAskedAt?: string
  /** ISO 8601: a person was told what had been done by then, and wants it again. */
  coveredUntil?: string
  /** ISO 8601: the user has typed something new since the writes to the same people until then. */
  newSince?: string
  /** For a write: what was typed in this conversation, for a ledger that does not store it. */
  typed?: readonly TypedMessage[]
  /** The open item of an earlier message that it continues: closed once it is claimed. */
  continues?: string
  /** That one was for other people, and can be asked again. */
  yields?: true
  /** Runs only if standing permissions of the user cover all of these: otherwise the user is asked. */
  needs?: Recipients
  /** Of a write: nobody was asked about it. */
  unasked?: true
}

/** A write that was, or may have been, carried out, and that means the same as another one. */
export interface EarlierWrite extends DoneBefore {
  write: LiveWrite
}

/** What decides whether a write to the same people as earlier ones is another one. */
export interface OtherWords {
  /** The message that led to the newest of those; null if it is not known. */
  led: TypedMessage | null
  /** Since then. */
  typed: TypedMessage[]
  /** The arguments of those. */
  writes: Record<string, unknown>[]
}

/** What is known about a write that was, or may have been, carried out, in a ledger or in the transcript. */
export interface DoneBefore {
  write: Pick<LiveWrite, 'arguments' | 'status'> & Partial<Pick<LiveWrite, 'at' | 'isSecond'>>
  /** For an equal one of this turn: the number of the next repetition; null for any other. */
  nextRepetition: number | null
  /** It only went to the same people: the two are the same unless the user has typed something new since. */
  otherWords?: OtherWords | null
}

export type Claim =
  /** `isSecond`: nobody knows what became of an equal write before it. */
  | { claimed: true; idempotencyKey: string; isSecond?: boolean }
  | {
      claimed: false
      status: LiveWrite['status']
      /** The earlier identical write of this turn. If it is of this very call, the process that claimed it has died. */
      write: Write
      /** The highest repetition of this write in this turn; an approved repetition is one more. */
      latest: number
    }
  /** Another write means the same: the user is asked first. `isPermitted`: although standing permissions cover it. */
  | { claimed: false; status: 'same'; earlier: EarlierWrite; isPermitted?: boolean }
  /** A process that has died had this very call answered: its server asks something first (`details.parked`). */
  | { claimed: false; status: 'asked'; error: ToolError }
  /** A limit of the app's is reached: nothing was claimed. */
  | { claimed: false; status: 'limited'; throttle: Throttle }
  /** No standing permission covers what it `needs`: the user is asked first. `spent`: one would, but is used up. */
  | { claimed: false; status: 'not_permitted'; spent?: Omit<Permission, 'path'> }
  /** The run was stopped from elsewhere, for a reason as of `RunSettings.signal`: nothing may run any more. */
  | { claimed: false; status: 'stopped'; reason?: unknown }

/** Nothing with an effect runs outside a ledger. The in-memory one serves one run; the Postgres one all of them. */
export interface Ledger {
  /**
   * Claims a write: unique per turn, tool, arguments and repetition while running, succeeded or unknown.
   * May reject (no database): then nothing was executed.
   */
  claim(invocation: Invocation): Promise<Claim>
  /** Ends a claimed write. `unknown` may later become `succeeded` or `failed`. */
  settle(
    invocation: Invocation,
    outcome: {
      status: 'succeeded' | 'failed' | 'unknown' | 'cancelled'
      result: ToolResult
      durationMs: number
    },
  ): Promise<void>
  /**
   * Whether a standing permission of the user may cover calls of a tool that always asks; the claim decides. Absent if
   * the ledger knows no permissions.
   */
  mayPermit?(toolName: string): boolean
  /** The write that this one would repeat, so that one question is enough. May reject: then the claim asks. */
  findSame?(invocation: Invocation): Promise<EarlierWrite | undefined>
  /** What has become of this turn's claimed writes, so that nothing that happened goes unreported. May reject. */
  outcomes?(runId: string, toolCallIds: readonly string[]): Promise<Write[]>
  /** Records invocations that needed no claim: finished reads, refused and cancelled calls. May be delayed until the run ends. */
  record(
    invocation: Invocation,
    outcome: {
      status: 'rejected' | 'succeeded' | 'failed' | 'cancelled'
      result: ToolResult
      durationMs: number
    },
  ): void
}
