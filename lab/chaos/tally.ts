import { showPoint } from './hop.ts'
import type { Random } from './random.ts'
import { type Place, places, pointsOf, type Strike, type Victim } from './scenario.ts'

/** The next kill is drawn from this many of the rarest, because some points are hard to reach. */
const drawnFrom = 16

interface Count {
  place: Place
  strike: Strike
  kills: number
}

/** Counts the kills of each victim at each point of each place. */
export class Tally {
  private readonly counts: ReadonlyMap<string, Count>

  constructor(of: readonly Victim[]) {
    const counts = places.flatMap((place) =>
      of.flatMap((victim) =>
        pointsOf(place).map((point) => ({ place, strike: { victim, point }, kills: 0 })),
      ),
    )
    this.counts = new Map(counts.map((count) => [keyOf(count.place, count.strike), count]))
  }

  add(place: Place, strike: Strike): void {
    const count = this.counts.get(keyOf(place, strike))
    if (count) count.kills++
  }

  has(victim: Victim): boolean {
    return [...this.counts.values()].some(({ strike }) => strike.victim === victim)
  }

  /** Draws one of the rarest kills. */
  rare(random: Random, place: Place): Strike {
    // Ties in random order: a stack that dies ten times in a row has no time to recover.
    const ascending = [...this.counts.values()]
      .filter((count) => count.place === place)
      .map((count) => ({ count, order: count.kills + random.next() }))
      .sort((one, other) => one.order - other.order)
    return random.pick(ascending.slice(0, drawnFrom)).count.strike
  }

  /** The lowest count at any point, of one place and victim or of all. */
  fewest(of?: { place: Place; victim: Victim }): number {
    const kills = [...this.counts.values()]
      .filter(({ place, strike }) => !of || (place === of.place && strike.victim === of.victim))
      .map((count) => count.kills)
    return Math.min(...kills)
  }
}

function keyOf(place: Place, { victim, point }: Strike): string {
  return `${place} ${victim} ${showPoint(point)}`
}
