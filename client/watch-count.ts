/** Milliseconds between two checks while a tab is visible, and while none is. */
const everyMs = { seen: 5000, unseen: 55_000 }

/**
 * Keeps all tabs up to date on how many items are open. One visible tab asks every few seconds, or, if none is visible,
 * one of all tabs every minute; it tells the others. A tab that becomes visible asks at once. Returns a function that stops it.
 *
 * @param name Name of the locks and the channel: one per user.
 * @param read Reads the current number; errors are ignored, since the next attempt may work.
 * @param hear Called with every number; `isOwn`: this tab asked itself.
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
    // Aborting a waiting lock request rejects.
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
