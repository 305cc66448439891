import { showPoint } from './hop.ts'
import type { Random } from './random.ts'
import { type Provider, pointsOf, providers, type Strike, type Victim } from './scenario.ts'

/** The next kill is drawn from this many of the rarest, because some points are hard to reach. */
const drawnFrom = 16

interface Count {
  provider: Provider
  strike: Strike
  kills: number
}

/** Counts the kills of each victim at each point of each provider's runs. */
export class Tally {
  private readonly counts: ReadonlyMap<string, Count>

  constructor(of: readonly Victim[]) {
    const counts = providers.flatMap((provider) =>
      of.flatMap((victim) =>
        pointsOf(provider).map((point) => ({ provider, strike: { victim, point }, kills: 0 })),
      ),
    )
    this.counts = new Map(counts.map((count) => [keyOf(count.provider, count.strike), count]))
  }

  add(provider: Provider, strike: Strike): void {
    const count = this.counts.get(keyOf(provider, strike))
    if (count) count.kills++
  }

  has(victim: Victim): boolean {
    return [...this.counts.values()].some(({ strike }) => strike.victim === victim)
  }

  /** Draws one of the rarest kills. */
  rare(random: Random, provider: Provider): Strike {
    // Ties in random order: a stack that dies ten times in a row has no time to recover.
    const ascending = [...this.counts.values()]
      .filter((count) => count.provider === provider)
      .map((count) => ({ count, order: count.kills + random.next() }))
      .sort((one, other) => one.order - other.order)
    return random.pick(ascending.slice(0, drawnFrom)).count.strike
  }

  /** The lowest count at any point, of one provider and victim or of all. */
  fewest(of?: { provider: Provider; victim: Victim }): number {
    const kills = [...this.counts.values()]
      .filter(({ provider, strike }) => !of || (provider === of.provider && strike.victim === of.victim))
      .map((count) => count.kills)
    return Math.min(...kills)
  }
}

function keyOf(provider: Provider, { victim, point }: Strike): string {
  return `${provider} ${victim} ${showPoint(point)}`
}
