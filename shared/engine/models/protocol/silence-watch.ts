import { longestTimerMs } from '../../core/clock.ts'

export interface SilenceWatch {
  /** Aborts the call. */
  readonly signal: AbortSignal
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
    seen() {
      alive = true
    },
    stop() {
      clearTimeout(timer)
      caller?.removeEventListener('abort', stopForCaller)
    },
  }
}
