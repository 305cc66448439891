import { bodyTimeouts } from '../../engine/core/timeouts.ts'

/** A body up to this size is always read; a larger one reserves memory in steps of this size. */
export const smallBody = 1024 * 1024
const step = smallBody
/**
 * Bytes of larger bodies that one process holds at once, until what was in them is stored: a body takes about five times
 * its size, and a function on Supabase has 256 MB.
 */
const largeAtOnce = 33 * step
/** What the bodies of one user may hold of it together: nobody's slow uploads keep others out. One alone may hold all. */
const shareOfOwner = 22 * step

/** The bodies of this process that hold memory now. */
const inUse = new Set<BodyMemory>()

/** The memory that one body takes in this process: as much as has arrived, whatever size it declares. */
export class BodyMemory {
  /** It arrived too slowly, so its memory went to another one. */
  isEvicted = false
  /** Stops the reading of this body. */
  leave = (): void => {}
  private arrived = 0
  private bytes = 0
  private grownAt = Date.now()
  private hasArrived = false
  private readonly most: number
  private readonly owner: string | undefined

  /** `most`: bytes of this body that are in memory at the same time; `owner`: the user whose it is. */
  constructor(most: number, owner?: string) {
    this.most = most
    this.owner = owner
  }

  /** Reserves memory for a body of which `size` bytes have arrived; false if others have it. */
  reserve(size: number): boolean {
    if (size <= Math.max(step, this.arrived)) return true
    const arrived = Math.ceil(size / step) * step
    const bytes = Math.min(arrived, this.most)
    const own = this.bytesOfOthers(({ owner }) => owner !== undefined && owner === this.owner)
    if (own > 0 && own + bytes > shareOfOwner) return false
    while (this.bytesOfOthers() + bytes > largeAtOnce) {
      const slow = [...inUse].find((memory) => memory !== this && memory.isSlow())
      if (!slow) return false
      slow.evict()
    }
    this.arrived = arrived
    this.bytes = bytes
    this.grownAt = Date.now()
    inUse.add(this)
    return true
  }

  /** All of it has arrived: its memory is now its own until it is freed. */
  keep(): void {
    this.hasArrived = true
  }

  free(): void {
    inUse.delete(this)
  }

  private bytesOfOthers(isCounted: (memory: BodyMemory) => boolean = () => true): number {
    let bytes = 0
    for (const memory of inUse) if (memory !== this && isCounted(memory)) bytes += memory.bytes
    return bytes
  }

  private isSlow(): boolean {
    return !this.hasArrived && Date.now() - this.grownAt > bodyTimeouts.slowMs
  }

  private evict(): void {
    this.isEvicted = true
    this.free()
    this.leave()
  }
}

let last: Promise<unknown> = Promise.resolve()

/** Does work on large bodies one after the other: what is made of a body takes more memory than the body. */
export function oneAtATime<Result>(work: () => Promise<Result>): Promise<Result> {
  const mine = last.then(work)
  last = mine.catch(() => {})
  return mine
}
