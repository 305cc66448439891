import { longestTimerMs } from '../../core/clock.ts'

/**
 * Ends a model call after `timeoutMs` to twice that without a sign of life, or when its caller stops it. A class without
 * closures: each call of a model has one.
 */
export class SilenceWatch {
  private readonly controller = new AbortController()
  private readonly timeoutMs: number
  private readonly caller: AbortSignal | undefined
  private timer: ReturnType<typeof setTimeout>
  private alive = false
  private rejectWaiting: ((reason: unknown) => void) | undefined

  constructor(timeoutMs: number, caller?: AbortSignal) {
    this.timeoutMs = Math.min(timeoutMs, longestTimerMs)
    this.caller = caller
    this.timer = setTimeout(expire, this.timeoutMs, this)
    caller?.addEventListener('abort', this)
  }

  /** Aborts the call. */
  get signal(): AbortSignal {
    return this.controller.signal
  }

  /** The same as `work`, but rejects once the call is aborted, whether the work hears of it or not. One at a time. */
  orAborted<Value>(work: Promise<Value>): Promise<Value> {
    return new Promise((resolve, reject) => {
      this.rejectWaiting = reject
      work.then(resolve, reject)
      if (this.signal.aborted) reject(this.signal.reason)
    })
  }

  /** The server gave a sign of life. */
  seen(): void {
    this.alive = true
  }

  /** Aborts the call; nothing of it is awaited any more. */
  abort(reason?: unknown): void {
    this.controller.abort(reason)
    this.rejectWaiting?.(this.signal.reason)
  }

  /** The call is over. */
  stop(): void {
    clearTimeout(this.timer)
    this.rejectWaiting = undefined
    this.caller?.removeEventListener('abort', this)
  }

  /** The caller stops it. */
  handleEvent(): void {
    this.abort(this.caller?.reason)
  }

  /** One timer per silence instead of one per chunk. */
  expire(): void {
    if (this.alive) this.timer = setTimeout(expire, this.timeoutMs, this)
    else this.abort()
    this.alive = false
  }
}

function expire(watch: SilenceWatch): void {
  watch.expire()
}
