/** Milliseconds of parsing for all pages of a call: a hosted function has 2 s of CPU for everything. */
const allMs = 1_500

/** Other pages have used all the time. */
export class OutOfTime extends Error {
  override name = 'OutOfTime'
}

/** The time left for parsing. Parsing never waits for anything, so its time is CPU time. */
export class ParseTime {
  leftMs = allMs

  /** Runs a step of parsing, and subtracts its time. Throws OutOfTime if none is left. */
  spend<T>(step: () => T): T {
    if (this.leftMs <= 0) throw new OutOfTime()
    const begun = performance.now()
    try {
      return step()
    } finally {
      this.leftMs -= performance.now() - begun
    }
  }
}
