import { longestTimerMs } from '../../core/clock.ts'

/**
 * Ends a model call when `timeoutMs` to twice as long pass without a sign of life, or when its caller stops it.
 * The calls of a run come one after another and share one watch, so that each need not make a timer, a signal and a
 * listener. It listens as an object, since every call would otherwise make a set of closures.
 */
export class SilenceWatch {
  private controller = new AbortController()
  private caller: AbortSignal | undefined
  private timer: ReturnType<typeof setTimeout> | undefined
  private timeoutMs = 0
  private calling = false
  private alive = false
  private over = false

  /** False while there is a call, and after the last one: a call that finds it so needs a watch of its own. */
  get isFree(): boolean {
    return !this.calling && !this.over
  }

  /** A call begins; the signal is the one it ends by. */
  begin(timeoutMs: number, caller: AbortSignal | undefined): AbortSignal {
    if (this.controller.signal.aborted) this.controller = new AbortController()
    this.listenTo(caller)
    this.calling = true
    // The timer of an earlier call is left to run.
    this.alive = this.timer !== undefined && this.timeoutMs === timeoutMs
    if (!this.alive) this.wait(timeoutMs)
    return this.controller.signal
  }

  /** The server gave a sign of life. */
  seen(): void {
    this.alive = true
  }

  /** The call is over; another one may follow. */
  rest(): void {
    this.calling = false
    if (this.over) this.stop()
  }

  /** No call follows; one that nobody waits for any more is watched to its end. */
  stop(): void {
    this.over = true
    if (this.calling) return
    this.listenTo(undefined)
    clearTimeout(this.timer)
    this.timer = undefined
  }

  /** The caller's signal aborted. */
  handleEvent(): void {
    this.controller.abort(this.caller?.reason)
  }

  expire(): void {
    this.timer = undefined
    if (!this.calling) return
    if (!this.alive) {
      this.controller.abort()
      return
    }
    // One timer a silence instead of one a chunk.
    this.alive = false
    this.wait(this.timeoutMs)
  }

  private wait(timeoutMs: number): void {
    clearTimeout(this.timer)
    this.timeoutMs = timeoutMs
    this.timer = setTimeout(expire, Math.min(timeoutMs, longestTimerMs), this)
  }

  private listenTo(caller: AbortSignal | undefined): void {
    if (caller === this.caller) return
    this.caller?.removeEventListener('abort', this)
    caller?.addEventListener('abort', this)
    this.caller = caller
  }
}

function expire(watch: SilenceWatch): void {
  watch.expire()
}
