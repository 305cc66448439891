import { overtaken } from '../../../../shared/engine/core/overtaken.ts'
import { ApiError } from '../../../../shared/server/http/api-error.ts'
import type { RunFeed } from './run-feed.ts'

/** `reason`: see `RunSettings.signal`; by default, that somebody has stopped it. */
export type StopRun = (reason?: unknown) => void

/** A run that this process is working on. */
interface ActiveRun {
  conversation: string
  stop: StopRun
  ended: Promise<void>
  feed: RunFeed
}

/** How many clients may read one run at once in one process, besides the one that started it: each gets all of it. */
const mostReaders = 20

/** The runs of this process, so that stopping and joining do not need the database. */
export interface ActiveRuns {
  /** Registers a run until `work` has ended. */
  track<T>(
    run: { runId: string; userId: string; conversationId: string },
    stop: StopRun,
    feed: RunFeed,
    work: Promise<T>,
  ): Promise<T>
  /** Stops every run of a conversation. */
  stop(userId: string, conversationId: string): void
  /** Stops one run, if this process has it, because its user has written again. */
  overtake(runId: string): void
  /** Resolves when the run has ended; undefined if another process has it. */
  ended(runId: string): Promise<void> | undefined
  /** What the run does, as it happens; undefined if another process has it. */
  feed(runId: string): RunFeed | undefined
  /** Reserves a place to read a run that was started here or elsewhere; returns a function that frees it. Throws ApiError 429. */
  enter(runId: string): () => void
}

export function createActiveRuns(): ActiveRuns {
  const runs = new Map<string, ActiveRun>()
  const readers = new Map<string, number>()
  return {
    async track({ runId, userId, conversationId }, stop, feed, work) {
      const ended = work.then(
        () => {},
        () => {},
      )
      runs.set(runId, { conversation: `${userId} ${conversationId}`, stop, ended, feed })
      try {
        return await work
      } finally {
        runs.delete(runId)
      }
    },
    stop(userId, conversationId) {
      for (const run of runs.values()) if (run.conversation === `${userId} ${conversationId}`) run.stop()
    },
    overtake: (runId) => runs.get(runId)?.stop(overtaken),
    ended: (runId) => runs.get(runId)?.ended,
    feed: (runId) => runs.get(runId)?.feed,
    enter(runId) {
      const before = readers.get(runId) ?? 0
      if (before >= mostReaders) throw new ApiError('too_many_readers', { most: mostReaders })
      readers.set(runId, before + 1)
      return () => {
        const others = (readers.get(runId) ?? 1) - 1
        if (others > 0) readers.set(runId, others)
        else readers.delete(runId)
      }
    },
  }
}
