/** Lines of one process per window; Supabase drops more than 100 events in 10 s (https://supabase.com/docs/guides/functions/limits). */
const mostLines = 100
const windowMs = 10_000

/** What was left out of a window: how often, by event; refusals by their code. */
export interface LeftOut {
  event: 'log-summary'
  seconds: number
  [event: string]: string | number
}

/**
 * Keeps a process from flooding its log: at most 100 lines in 10 s, and of refusals with the same code only the first of
 * a window. What is left out is counted and told in one line when the window is over.
 */
export class LogCap {
  private startedAt = Number.NEGATIVE_INFINITY
  private lines = 0
  private readonly told = new Set<string>()
  private leftOut = new Map<string, number>()
  private timer: ReturnType<typeof setTimeout> | undefined
  private readonly tell: (summary: LeftOut) => void
  private readonly now: () => number

  constructor(tell: (summary: LeftOut) => void, now: () => number = Date.now) {
    this.tell = tell
    this.now = now
  }

  /** Whether a line may be written. `once`: lines that say the same are only counted after the first one. */
  admits(event: string, once?: string): boolean {
    if (this.now() - this.startedAt >= windowMs) this.startWindow()
    const repeats = once !== undefined && this.told.has(once)
    // The last line belongs to the summary.
    if (!repeats && this.lines < mostLines - 1) {
      this.lines++
      if (once !== undefined) this.told.add(once)
      return true
    }
    const name = once ?? event
    this.leftOut.set(name, (this.leftOut.get(name) ?? 0) + 1)
    this.timer ??= later(() => this.startWindow(), windowMs - (this.now() - this.startedAt))
    return false
  }

  private startWindow(): void {
    clearTimeout(this.timer)
    this.timer = undefined
    if (this.leftOut.size > 0) {
      this.tell({ event: 'log-summary', seconds: windowMs / 1000, ...Object.fromEntries(this.leftOut) })
    }
    this.leftOut = new Map()
    this.told.clear()
    this.lines = 0
    this.startedAt = this.now()
  }
}

/** A timer that keeps no process alive: Deno gives a number, Node an object. */
function later(run: () => void, afterMs: number): ReturnType<typeof setTimeout> {
  const timer: unknown = setTimeout(run, Math.max(0, afterMs))
  if (typeof timer === 'number') runtime.Deno?.unrefTimer(timer)
  else (timer as { unref(): void }).unref()
  return timer as ReturnType<typeof setTimeout>
}

const runtime = globalThis as { Deno?: { unrefTimer(id: number): void } }
