import type { JsonPath } from '../core/json-path.ts'
import type { Repair } from '../core/repair.ts'

/** Why a text cannot be read as arguments. */
export type UnreadableReason =
  /** It ends before its object does; it is never completed. */
  | 'cut'
  /** Nothing but whitespace. */
  | 'blank'
  /** Prose, or a JSON value that is not an object. */
  | 'not_an_object'
  /** More than one object, or one key with two different values. */
  | 'ambiguous'
  /** Too long, too deep or too many values. */
  | 'too_large'
  /** A key that would reach an object's prototype. */
  | 'forbidden_key'
  /** Broken in a way that leaves more than one reading. */
  | 'unreadable'

/** The part of a text that is certainly complete: each value in it was followed by a comma or a closer. */
export interface PartialArguments {
  /** Objects that were cut or become unreadable contain their complete members; the value where it happened is absent. */
  value: Record<string, unknown>
  /** Path of the value that was cut; a cut array is absent as a whole. Absent if no value was cut. */
  cut?: JsonPath
  /** Paths of the objects that were not closed, outermost first (empty for the arguments): more members may follow there. */
  unclosed: JsonPath[]
}

export interface UnreadableArguments {
  ok: false
  reason: UnreadableReason
  /** What is wrong, and where: a clause without a full stop, e.g. `the text ends inside the value of "subject"`. */
  message: string
  /** Present for a text that was cut, or whose fault is after or around this part. */
  partial?: PartialArguments
}

export type ArgumentsReading =
  | { ok: true; value: Record<string, unknown>; repairs: Repair[] }
  | UnreadableArguments
