import type { EntryBuffer } from './entry-buffer.ts'
import type { RunFeed } from './run-feed.ts'

/**
 * Stores what a run has written before its end, because somebody is waiting to be told. Returns what is called when there
 * is something to store. If that fails, the next regular heartbeat does, or the end of the run.
 */
export function createEarlyStorage(
  feed: Pick<RunFeed, 'isAwaited'>,
  buffer: Pick<EntryBuffer, 'isSending'>,
  store: () => Promise<void>,
): () => void {
  let isPlanned = false
  return () => {
    if (isPlanned) return
    isPlanned = true
    // At the next turn of the event loop: a claim, or the end of the run, that follows at once stores it as well.
    setTimeout(() => {
      isPlanned = false
      if (feed.isAwaited && !buffer.isSending) store().catch(() => {})
    }, 0)
  }
}
