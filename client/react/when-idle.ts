/** Works when the page has nothing else to do. Returns what calls it off. Safari has no idle callbacks. */
export function whenIdle(work: () => void, options?: IdleRequestOptions): () => void {
  if (typeof requestIdleCallback === 'function') {
    const handle = requestIdleCallback(work, options)
    return () => cancelIdleCallback(handle)
  }
  const timer = setTimeout(work, 20)
  return () => clearTimeout(timer)
}
