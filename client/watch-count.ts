/** Milliseconds between two looks while a tab is seen, and while none is. */
const everyMs = { seen: 5000, unseen: 55_000 }

/**
 * Keeps all tabs told how much is open. One of those that are seen looks every few seconds, or, while none is, one of
 * them all every minute; it tells the others. Who comes into sight looks at once. Returns what ends it.
 *
 * @param name Of the locks and the channel: one per user.
 * @param read The number now; what it rejects with is not shown, since the next look may work.
 * @param hear Called with every number; `isOwn`: this tab has looked itself.
 */
export function watchCount(
  name: string,
  read: () => Promise<number>,
  hear: (count: number, isOwn: boolean) => void,
): () => void {
  const others = new BroadcastChannel(name)
  const over = new AbortController()
  let seen = new AbortController()
  let heardAt = 0
  others.onmessage = ({ data }) => {
    heardAt = Date.now()
    hear(data, false)
  }
  const look = async () => {
    try {
      const count = await read()
      if (over.signal.aborted) return
      others.postMessage(count)
      heardAt = Date.now()
      hear(count, true)
    } catch {}
  }
  const lead = (lock: string, ms: number, { signal }: AbortController) => {
    const hold = () =>
      new Promise<void>((resolve) => {
        const timer = setInterval(() => {
          if (Date.now() - heardAt > ms / 2) void look()
        }, ms)
        signal.addEventListener('abort', () => {
          clearInterval(timer)
          resolve()
        })
      })
    // Calling off what waits for its turn rejects.
    navigator.locks.request(lock, { signal }, hold).catch(() => {})
  }
  const follow = () => {
    seen.abort()
    if (document.visibilityState === 'hidden') return
    seen = new AbortController()
    void look()
    lead(`${name} seen`, everyMs.seen, seen)
  }
  follow()
  lead(name, everyMs.unseen, over)
  document.addEventListener('visibilitychange', follow)
  return () => {
    document.removeEventListener('visibilitychange', follow)
    over.abort()
    seen.abort()
    others.close()
  }
}
