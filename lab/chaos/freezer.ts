import type { HopListener, Point } from './hop.ts'
import type { Random } from './random.ts'
import { awaits } from './scenario.ts'

/** Milliseconds after which a process is frozen elsewhere, because nothing came by. */
const mostWaitingMs = 10_000

/** Freezes processes (SIGSTOP) at random moments: each time where the next request of some name comes by. */
export class Freezer {
  /** How often a process was frozen. */
  freezes = 0
  #isOver = false
  #armed: { point: Point; strike: () => void } | undefined
  #frozen = new Map<number, { since: number; thaw: () => void }>()
  /** When processes stood still, in milliseconds since 1970. */
  readonly #times: { from: number; to: number }[] = []

  /** `seconds`: how long, drawn from these; `pids` by name: what can be frozen now. */
  run(
    random: Random,
    seconds: readonly number[],
    pids: () => ReadonlyMap<string, number>,
    onFreeze: (name: string) => void,
  ): void {
    const round = async (name: string) => {
      while (!this.#isOver) {
        await pause(1_000 + random.below(15_000))
        await this.#nextMoment(random)
        const pid = pids().get(name)
        if (this.#isOver || pid === undefined) continue
        if (this.#freeze(pid, random.pick(seconds) * 1000)) onFreeze(name)
        while (this.#frozen.has(pid)) await pause(50)
      }
    }
    for (const name of ['chat', 'smtp-api', 'gmail-api']) round(name).catch(() => {})
  }

  readonly onHop: HopListener = (hop, side) => {
    if (this.#armed?.point.hop !== hop.name || this.#armed.point.side !== side) return undefined
    this.#armed.strike()
    return undefined
  }

  /** One at a time waits for its request. */
  async #nextMoment(random: Random): Promise<void> {
    const [hop, , sides] = random.pick(awaits)
    await Promise.race([
      pause(mostWaitingMs),
      new Promise<void>((resolve) => {
        this.#armed = { point: { hop, nth: 1, side: random.pick(sides) }, strike: resolve }
      }),
    ])
    this.#armed = undefined
  }

  isFrozen(pid: number | undefined): boolean {
    return pid !== undefined && this.#frozen.has(pid)
  }

  #freeze(pid: number, ms: number): boolean {
    if (this.#frozen.has(pid) || !signal(pid, 'SIGSTOP')) return false
    this.freezes++
    const timer = setTimeout(() => thaw(), ms)
    const since = Date.now()
    const thaw = () => {
      clearTimeout(timer)
      if (!this.#frozen.delete(pid)) return
      this.#times.push({ from: since, to: Date.now() })
      signal(pid, 'SIGCONT')
    }
    this.#frozen.set(pid, { since, thaw })
    return true
  }

  /** Lets all go on: what is frozen does not end. */
  thaw(): void {
    for (const { thaw } of [...this.#frozen.values()]) thaw()
  }

  /** For how long of a time anything stood still, in milliseconds. */
  frozenBetween(from: number, to: number): number {
    const now = [...this.#frozen.values()].map(({ since }) => ({ from: since, to }))
    return [...this.#times, ...now].reduce(
      (total, time) => total + Math.max(0, Math.min(to, time.to) - Math.max(from, time.from)),
      0,
    )
  }

  close(): void {
    this.#isOver = true
    this.thaw()
  }
}

/** Keeps no program from ending. */
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms).unref())

/** False if there is no such process any more. */
function signal(pid: number, name: 'SIGSTOP' | 'SIGCONT'): boolean {
  try {
    return process.kill(pid, name)
  } catch {
    return false
  }
}
