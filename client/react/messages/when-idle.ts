/** Runs `work` when the page is idle. Returns a function that cancels it. Safari has no idle callbacks. */
export function whenIdle(work: () => void, options?: IdleRequestOptions): () => void {
  if (typeof requestIdleCallback === 'function') {
    const handle = requestIdleCallback(work, options)
    return () => cancelIdleCallback(handle)
  }
  const timer = setTimeout(work, 20)
  return () => clearTimeout(timer)
}
