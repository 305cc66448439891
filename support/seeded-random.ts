/** Numbers from 0 to below 1, the same ones for each seed (mulberry32). */
export function seededFractions(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** Whole numbers from 0 to below the given one, the same ones for each seed. */
export function seededRandom(seed: number): (below: number) => number {
  const next = seededFractions(seed)
  return (below) => Math.floor(next() * below)
}
