import { ApiError } from '../../../../shared/server/http/api-error.ts'

/** Milliseconds for which a window counts as used up without asking the database again. */
const rememberedMs = 1000

/** The windows of users that this process has seen used up within the last second. */
export interface RecentRefusals {
  /** Throws the refusal again. */
  check(key: string): void
  /** Does the work, unless it was refused within the last second; remembers if it is refused for a window now. */
  unlessRefused<Result>(key: string, work: () => Promise<Result>): Promise<Result>
}

export function rateOfFiles(userId: string): string {
  return `files ${userId}`
}

/** Of one conversation alone: a request that joins its running answer is never refused for what another one wanted. */
export function rateOfRuns(userId: string, conversationId = ''): string {
  return `runs ${userId} ${conversationId}`
}

/** `now`: milliseconds. */
export function createRecentRefusals(now: () => number = Date.now): RecentRefusals {
  const refused = new Map<string, { refusal: ApiError; until: number }>()

  function check(key: string): void {
    const found = refused.get(key)
    if (found && found.until > now()) throw found.refusal
  }

  return {
    check,
    async unlessRefused(key, work) {
      check(key)
      try {
        return await work()
      } catch (error) {
        if (error instanceof ApiError && error.isOfWindow) {
          for (const [other, { until }] of refused) if (until <= now()) refused.delete(other)
          refused.set(key, { refusal: error, until: now() + rememberedMs })
        }
        throw error
      }
    },
  }
}
