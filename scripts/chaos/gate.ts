/** Lets people's requests through, but not while something is being killed. */
export class Gate {
  #open: Promise<void> = Promise.resolve()
  #release: () => void = () => {}
  #closed = 0

  get passed(): Promise<void> {
    return this.#open
  }

  /** Closed until `work` is over; several may work behind it. */
  async closedFor<T>(work: () => Promise<T>): Promise<T> {
    if (this.#closed++ === 0) {
      this.#open = new Promise((resolve) => {
        this.#release = resolve
      })
    }
    try {
      return await work()
    } finally {
      if (--this.#closed === 0) this.#release()
    }
  }
}
