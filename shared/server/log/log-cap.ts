/** Lines of one process in any 10 s; Supabase drops more than 100 events (https://supabase.com/docs/guides/functions/limits). */
const mostLines = 100
const windowMs = 10_000

/** What was left out: how often, by event; refusals by their code. */
export interface LeftOut {
  event: 'log-summary'
  seconds: number
  [event: string]: string | number
}

/**
 * Keeps a process from flooding its log: at most 100 lines in any 10 s, and of refusals with the same code one. What is
 * left out is counted and told in one line after 10 s.
 */
export class LogCap {
  /** When lines were written, within the last 10 s, and which of them say what is said once; oldest first. */
  private readonly written: number[] = []
  private readonly told = new Map<string, number>()
  private leftOut = new Map<string, number>()
  private timer: ReturnType<typeof setTimeout> | undefined
  private readonly report: (summary: LeftOut) => void
  private readonly now: () => number

  constructor(report: (summary: LeftOut) => void, now: () => number = () => performance.now()) {
    this.report = report
    this.now = now
  }

  /** Whether a line may be written. `once`: lines that say the same are only counted after the first one. */
  admits(event: string, once?: string): boolean {
    const now = this.now()
    this.forget(now - windowMs)
    const repeats = once !== undefined && this.told.has(once)
    // One line belongs to the summary.
    if (!repeats && this.written.length < mostLines - 1) {
      this.written.push(now)
      if (once !== undefined) this.told.set(once, now)
      return true
    }
    const name = once ?? event
    this.leftOut.set(name, (this.leftOut.get(name) ?? 0) + 1)
    this.timer ??= later(() => this.describeLeftOut(), windowMs)
    return false
  }

  private forget(until: number): void {
    while (this.written[0] !== undefined && this.written[0] <= until) this.written.shift()
    for (const [once, at] of this.told) {
      if (at > until) break
      this.told.delete(once)
    }
  }

  private describeLeftOut(): void {
    this.timer = undefined
    this.report({ event: 'log-summary', seconds: windowMs / 1000, ...Object.fromEntries(this.leftOut) })
    this.leftOut = new Map()
  }
}

/** A timer that keeps no process alive: Deno gives a number, Node an object. */
function later(run: () => void, afterMs: number): ReturnType<typeof setTimeout> {
  const timer: unknown = setTimeout(run, afterMs)
  if (typeof timer === 'number') runtime.Deno?.unrefTimer(timer)
  else (timer as { unref(): void }).unref()
  return timer as ReturnType<typeof setTimeout>
}

const runtime = globalThis as { Deno?: { unrefTimer(id: number): void } }
