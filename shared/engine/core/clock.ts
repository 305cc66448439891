/** Time and randomness of a run, in one place so that tests control both. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** At least 0, less than 1. */
  random(): number
  /** Resolves after `ms`, or at once when the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** Calls `run` once after `ms`; the returned function cancels it. */
  after(ms: number, run: () => void): () => void
}

/** The limit of timers (about 25 days); a longer one would fire at once. */
export const longestTimerMs = 2 ** 31 - 1

export const systemClock: Clock = {
  now: () => Date.now(),
  random: () => Math.random(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve()
      const done = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', done)
        resolve()
      }
      const timer = setTimeout(done, Math.min(ms, longestTimerMs))
      signal?.addEventListener('abort', done)
    }),
  after: (ms, run) => {
    const timer = setTimeout(run, Math.min(ms, longestTimerMs))
    return () => clearTimeout(timer)
  },
}
