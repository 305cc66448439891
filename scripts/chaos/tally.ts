import { showPoint } from './hop.ts'
import type { Random } from './random.ts'
import { points, type Strike, type Victim } from './scenario.ts'

/** The next kill is drawn from this many of the rarest, because some points are hard to reach. */
const drawnFrom = 16

/** Counts the kills of each victim at each point. */
export class Tally {
  private readonly counts: ReadonlyMap<string, { strike: Strike; kills: number }>

  constructor(of: readonly Victim[]) {
    const strikes = of.flatMap((victim) => points.map((point) => ({ victim, point })))
    this.counts = new Map(strikes.map((strike) => [keyOf(strike), { strike, kills: 0 }]))
  }

  add(strike: Strike): void {
    const count = this.counts.get(keyOf(strike))
    if (count) count.kills++
  }

  has(victim: Victim): boolean {
    return [...this.counts.values()].some(({ strike }) => strike.victim === victim)
  }

  /** Draws one of the rarest kills. */
  rare(random: Random): Strike {
    // Ties in random order: a stack that dies ten times in a row has no time to recover.
    const ascending = [...this.counts.values()]
      .map((count) => ({ count, order: count.kills + random.next() }))
      .sort((one, other) => one.order - other.order)
    return random.pick(ascending.slice(0, drawnFrom)).count.strike
  }

  /** The lowest count at any point, of one victim or of all. */
  fewest(victim?: Victim): number {
    const kills = [...this.counts.values()]
      .filter(({ strike }) => victim === undefined || strike.victim === victim)
      .map((count) => count.kills)
    return Math.min(...kills)
  }
}

function keyOf({ victim, point }: Strike): string {
  return `${victim} ${showPoint(point)}`
}
