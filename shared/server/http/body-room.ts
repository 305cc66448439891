import { bodyTimeouts } from '../../engine/core/timeouts.ts'

/** Bytes of a body that is read whatever else is being read; a larger one gets room in steps of so many. */
const step = 1024 * 1024
/**
 * Bytes of larger bodies that one process reads at once: until it is parsed, a body takes about five times its
 * size, and a function on Supabase has 256 MB.
 */
const largeAtOnce = 40 * step

/** Those of this process that have room now. */
const rooms = new Set<BodyRoom>()

/** The room that one body has in this process: as much as has arrived of it, whatever it says of its size. */
export class BodyRoom {
  /** Its room went to another body: it came too slowly. */
  isLost = false
  private bytes = 0
  private grownAt = Date.now()
  private readonly leave: () => void

  /** `leave`: ends the reading of this body. */
  constructor(leave: () => void) {
    this.leave = leave
  }

  /** Keeps room for a body of which `size` bytes are there; false where others have it. */
  reserve(size: number): boolean {
    if (size <= Math.max(step, this.bytes)) return true
    const bytes = Math.ceil(size / step) * step
    while (this.takenByOthers() + bytes > largeAtOnce) {
      const slow = [...rooms].find((room) => room !== this && room.isSlow())
      if (!slow) return false
      slow.lose()
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

  private lose(): void {
    this.isLost = true
    this.free()
    this.leave()
  }
}
