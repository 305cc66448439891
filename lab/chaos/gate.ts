/** Holds people's requests while something is being killed. */
export class Gate {
  #open: Promise<void> = Promise.resolve()
  #release: () => void = () => {}
  #closed = 0

  get passed(): Promise<void> {
    return this.#open
  }

  /** Stays closed until `work` is done; several may work at once. */
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
