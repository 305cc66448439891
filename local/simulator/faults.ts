import type { GoogleError } from './google-error.ts'

/** What goes wrong with a request. */
export type Fault =
  /** Answered with this error, and nothing done. */
  | { error: GoogleError }
  /** Done, and then the connection is closed without an answer. */
  | { kind: 'answer_lost' }
  /** Done, and then answered with this error all the same. */
  | { kind: 'error_after'; error: GoogleError }
  /** The connection is closed while the request's body is still on its way; nothing is done. */
  | { kind: 'cut' }
  /** Taken, and done only when `until` is fulfilled, whether or not the caller still waits. */
  | { kind: 'late'; until: Promise<void> }
  /** Not done, and never answered. */
  | { kind: 'silent' }
  /** Answered with this instead, and nothing done: a proxy's page, cut JSON. */
  | { kind: 'body'; status: number; body: string; contentType: string }

/** Faults that wait for a call of a name like `drafts.send`, or for any (`*`). */
export class Faults {
  private planned: { call: string; times: number; fault: Fault }[] = []
  /** Names of all calls that came, in order. */
  readonly calls: string[] = []

  /** The next `times` calls of that name end so. */
  plan(call: string, fault: Fault, times = 1): void {
    this.planned.push({ call, times, fault })
  }

  clear(): void {
    this.planned = []
    this.calls.length = 0
  }

  /** What happens to a call that comes now. */
  take(call: string): Fault | undefined {
    this.calls.push(call)
    const next = this.planned.find((one) => one.times > 0 && (one.call === call || one.call === '*'))
    if (next) next.times--
    return next?.fault
  }
}
