import { bodyTimeouts } from '../../engine/core/timeouts.ts'

/** A body up to this size is always read; a larger one reserves memory in steps of this size. */
const step = 1024 * 1024
/**
 * Bytes of larger bodies that one process reads at once: until it is parsed, a body takes about five times its
 * size, and a function on Supabase has 256 MB.
 */
const largeAtOnce = 40 * step

/** The bodies of this process that hold memory now. */
const rooms = new Set<BodyRoom>()

/** The memory that one body takes in this process: as much as has arrived, whatever size it declares. */
export class BodyRoom {
  /** It arrived too slowly, so its room went to another body. */
  isEvicted = false
  private bytes = 0
  private grownAt = Date.now()
  private readonly leave: () => void

  /** `leave` stops the reading of this body. */
  constructor(leave: () => void) {
    this.leave = leave
  }

  /** Reserves memory for a body of which `size` bytes have arrived; false if others have it. */
  reserve(size: number): boolean {
    if (size <= Math.max(step, this.bytes)) return true
    const bytes = Math.ceil(size / step) * step
    while (this.takenByOthers() + bytes > largeAtOnce) {
      const slow = [...rooms].find((room) => room !== this && room.isSlow())
      if (!slow) return false
      slow.evict()
    }
    this.bytes = bytes
    this.grownAt = Date.now()
    rooms.add(this)
    return true
  }

  free(): void {
    rooms.delete(this)
  }

  private takenByOthers(): number {
    let bytes = 0
    for (const room of rooms) if (room !== this) bytes += room.bytes
    return bytes
  }

  private isSlow(): boolean {
    return Date.now() - this.grownAt > bodyTimeouts.slowMs
  }

  private evict(): void {
    this.isEvicted = true
    this.free()
    this.leave()
  }
}
