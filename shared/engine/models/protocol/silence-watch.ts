import { longestTimerMs } from '../../core/clock.ts'

export interface SilenceWatch {
  /** Aborts the call. */
  readonly signal: AbortSignal
  /** The same as `work`, but rejects once the call is aborted, whether the work hears of it or not. */
  orAborted<Value>(work: Promise<Value>): Promise<Value>
  /** The server gave a sign of life. */
  seen(): void
  /** The call is over. */
  stop(): void
}

/** Ends a model call after `timeoutMs` to twice that without a sign of life, or when its caller stops it. */
export function watchSilence(timeoutMs: number, caller?: AbortSignal): SilenceWatch {
  const controller = new AbortController()
  const wait = () => setTimeout(expire, Math.min(timeoutMs, longestTimerMs))
  let alive = false
  let timer = wait()

  function expire(): void {
    // One timer per silence instead of one per chunk.
    if (alive) timer = wait()
    else controller.abort()
    alive = false
  }
  function stopForCaller(): void {
    controller.abort(caller?.reason)
  }
  caller?.addEventListener('abort', stopForCaller)
  return {
    signal: controller.signal,
    orAborted(work) {
      return new Promise((resolve, reject) => {
        const stop = () => reject(controller.signal.reason)
        if (controller.signal.aborted) stop()
        controller.signal.addEventListener('abort', stop, { once: true })
        work.then(resolve, reject).finally(() => controller.signal.removeEventListener('abort', stop))
      })
    },
    seen() {
      alive = true
    },
    stop() {
      clearTimeout(timer)
      caller?.removeEventListener('abort', stopForCaller)
    },
  }
}
