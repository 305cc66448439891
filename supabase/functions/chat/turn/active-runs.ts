import type { RunFeed } from './run-feed.ts'

/** A run that this process is working on. */
interface ActiveRun {
  conversation: string
  stop: () => void
  ended: Promise<void>
  feed: RunFeed
}

/** The runs of this process, so that stopping and joining need no detour over the database. */
export interface ActiveRuns {
  /** Notes a run until `work` has ended. */
  track<T>(
    run: { runId: string; userId: string; conversationId: string },
    stop: () => void,
    feed: RunFeed,
    work: Promise<T>,
  ): Promise<T>
  /** Stops every run of a conversation but the given one. */
  stop(userId: string, conversationId: string, except?: string): void
  /** Resolves when the run has ended; undefined when another process has it. */
  ended(runId: string): Promise<void> | undefined
  /** What the run does, as it happens; undefined when another process has it. */
  feed(runId: string): RunFeed | undefined
}

export function createActiveRuns(): ActiveRuns {
  const runs = new Map<string, ActiveRun>()
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
    stop(userId, conversationId, except) {
      for (const [runId, run] of runs) {
        if (run.conversation === `${userId} ${conversationId}` && runId !== except) run.stop()
      }
    },
    ended: (runId) => runs.get(runId)?.ended,
    feed: (runId) => runs.get(runId)?.feed,
  }
}
