import type { ParkedQuestion } from '../../core/server-question.ts'
import type { ToolError, ToolSuccess } from '../../core/tool-error.ts'
import type { ToolSpecification } from '../../core/tool-specification.ts'
import type { Recipients } from '../../provenance/recipients.ts'
import type { Call, Result } from '../../transcript/entry.ts'
import type { CallState } from '../../transcript/loop-state.ts'
import type { QuestionDraft } from './ask.ts'

/**
 * How a call of a round ended. `waiting` has not run: it waits for somebody, or for the clock. `claimed`: already in
 * the ledger, through the claim and its settlement.
 */
export type Outcome =
  /** `again`: the result of the same write before, which was not run again. */
  | {
      status: 'succeeded'
      result: ToolSuccess
      tries: number
      again?: true
      claimed?: true
      seen?: Result['seen']
    }
  | {
      status: 'rejected' | 'failed' | 'unknown' | 'cancelled'
      result: ToolError
      tries: number
      /** Milliseconds since 1970. */
      retryAt?: number
      claimed?: true
      /** It is still running elsewhere, as this call. */
      runsAs?: string
      /** Of an unknown one: nobody knows what became of an equal one before it, either. */
      isSecond?: boolean
      seen?: Result['seen']
      /** What its server asks before it goes on. */
      parked?: ParkedQuestion | undefined
    }
  /** Without a question it waits with another call of its round. */
  | { status: 'waiting'; question?: QuestionDraft }

/** The outcome of a call that does not wait for anybody. */
export type Ended = Exclude<Outcome, { status: 'waiting' }>

/** A call of the transcript on its way to its outcome. */
export interface RoundCall {
  state: CallState
  call: Call
  key: string
  specification?: ToolSpecification
  /** Prepared arguments; absent if the call was refused. */
  args: Record<string, unknown> | undefined
  /** Why it does not run: it could not be prepared, its tool is gone, or a person declined it. */
  refusal?: ToolError
  /** Runs only if the ledger knows standing permissions for these. */
  needs?: Recipients
  /** How it ends without running; undefined if it may run. */
  judged?: Outcome | undefined
  /** What somebody has to be asked before it can run. */
  question?: QuestionDraft | undefined
}
