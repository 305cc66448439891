import { seededFractions } from '../../support/seeded-random.ts'

/** Reproducible random numbers. */
export interface Random {
  /** At least 0, below 1. */
  next(): number
  /** A whole number below `limit`. */
  below(limit: number): number
  pick<T>(from: readonly T[]): T
}

export function seededRandom(seed: number): Random {
  const next = seededFractions(seed)
  const below = (limit: number) => Math.floor(next() * limit)
  return { next, below, pick: (from) => from[below(from.length)] as (typeof from)[number] }
}
