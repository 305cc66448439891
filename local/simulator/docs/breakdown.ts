import type { GoogleAnswer } from './docs-error.ts'

/**
 * What goes wrong with a request. `answer`: nothing happens and this is answered, or it is answered although it was
 * carried out. `lost`: it is carried out, and the connection breaks off before the answer. `late`: the connection breaks off, and it is carried out when the test says
 * `arrive()`. `cut`: the connection breaks off and nothing happens.
 */
export type Breakdown =
  | { answer: GoogleAnswer; carriedOut?: boolean }
  | { connection: 'lost' | 'late' | 'cut' }

interface Awaited {
  method: string
  path: RegExp
  breakdown: Breakdown
  times: number
}

/** The next requests that fail, as a test says. */
export function createBreakdowns() {
  const awaited: Awaited[] = []
  const late: (() => Promise<unknown>)[] = []
  return {
    /** The next `times` requests with this method and path. */
    next(method: string, path: RegExp, breakdown: Breakdown, times = 1): void {
      awaited.push({ method, path, breakdown, times })
    },
    take(method: string, path: string): Breakdown | undefined {
      const found = awaited.find((one) => one.times > 0 && one.method === method && one.path.test(path))
      if (found) found.times -= 1
      return found?.breakdown
    },
    delay(request: () => Promise<unknown>): void {
      late.push(request)
    },
    /** Requests that were on their way are carried out now. */
    async arrive(): Promise<void> {
      for (const request of late.splice(0)) await request()
    },
    clear(): void {
      awaited.length = 0
      late.length = 0
    },
  }
}

export type Breakdowns = ReturnType<typeof createBreakdowns>
