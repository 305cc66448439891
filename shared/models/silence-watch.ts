/**
 * A signal that aborts when `timeoutMs` to twice as long pass without a sign of life, or with the caller's signal.
 * It listens as an object, since every model call would otherwise make a set of closures.
 */
export class SilenceWatch {
  private readonly controller = new AbortController()
  private readonly timeoutMs: number
  private readonly caller: AbortSignal | undefined
  private timer: ReturnType<typeof setTimeout>
  private alive = false

  constructor(timeoutMs: number, caller: AbortSignal | undefined) {
    this.timeoutMs = timeoutMs
    this.caller = caller
    caller?.addEventListener('abort', this)
    this.timer = setTimeout(expire, timeoutMs, this)
  }

  get signal(): AbortSignal {
    return this.controller.signal
  }

  /** The server gave a sign of life. */
  seen(): void {
    this.alive = true
  }

  stop(): void {
    clearTimeout(this.timer)
    this.caller?.removeEventListener('abort', this)
  }

  /** The caller's signal aborted. */
  handleEvent(): void {
    this.controller.abort(this.caller?.reason)
  }

  expire(): void {
    if (!this.alive) {
      this.controller.abort()
      return
    }
    // One timer a silence instead of one a chunk.
    this.alive = false
    this.timer = setTimeout(expire, this.timeoutMs, this)
  }
}

function expire(watch: SilenceWatch): void {
  watch.expire()
}
