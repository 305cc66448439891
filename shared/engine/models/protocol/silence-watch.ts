import { longestTimerMs } from '../../core/clock.ts'

export interface SilenceWatch {
  /** Aborts the call. */
  readonly signal: AbortSignal
  /** The same as `work`, but rejects once the call is aborted, whether the work hears of it or not. One at a time. */
  orAborted<Value>(work: Promise<Value>): Promise<Value>
  /** The server gave a sign of life. */
  seen(): void
  /** Aborts the call; nothing of it is awaited any more. */
  abort(): void
  /** The call is over. */
  stop(): void
}

/** Ends a model call after `timeoutMs` to twice that without a sign of life, or when its caller stops it. */
export function watchSilence(timeoutMs: number, caller?: AbortSignal): SilenceWatch {
  const controller = new AbortController()
  const wait = () => setTimeout(expire, Math.min(timeoutMs, longestTimerMs))
  let alive = false
  let timer = wait()
  let rejectWaiting: ((reason: unknown) => void) | undefined

  function abort(reason?: unknown): void {
    controller.abort(reason)
    rejectWaiting?.(controller.signal.reason)
  }
  function expire(): void {
    // One timer per silence instead of one per chunk.
    if (alive) timer = wait()
    else abort()
    alive = false
  }
  function stopForCaller(): void {
    abort(caller?.reason)
  }
  caller?.addEventListener('abort', stopForCaller)
  return {
    signal: controller.signal,
    abort,
    orAborted: (work) =>
      new Promise((resolve, reject) => {
        rejectWaiting = reject
        work.then(resolve, reject)
        if (controller.signal.aborted) reject(controller.signal.reason)
      }),
    seen() {
      alive = true
    },
    stop() {
      clearTimeout(timer)
      rejectWaiting = undefined
      caller?.removeEventListener('abort', stopForCaller)
    },
  }
}
