/** Milliseconds of parsing for all pages of a call: a hosted function has 2 s of CPU for everything. */
const allMs = 1_500

/** The time that is left for parsing. Parsing never waits for anything, so what it takes is time of the CPU. */
export class ParseTime {
  leftMs = allMs

  /** Runs a step of parsing, and takes its time off. */
  spend<T>(step: () => T): T {
    const begun = performance.now()
    try {
      return step()
    } finally {
      this.leftMs -= performance.now() - begun
    }
  }
}
