/** A measured value with its 95 % interval. */
export interface Interval {
  value: number
  low: number
  high: number
}

/** Standard deviations that hold 95 % of a normal distribution. */
const z = 1.96

/** A share of successes with Wilson's interval, which also holds for few runs and for shares near 0 and 1. */
export function shareInterval(successes: number, total: number): Interval {
  if (total === 0) return { value: Number.NaN, low: 0, high: 1 }
  const share = successes / total
  const denominator = 1 + z ** 2 / total
  const centre = (share + z ** 2 / (2 * total)) / denominator
  const half = (z * Math.sqrt((share * (1 - share)) / total + z ** 2 / (4 * total ** 2))) / denominator
  return { value: share, low: Math.max(0, centre - half), high: Math.min(1, centre + half) }
}

/** A mean with its normal interval; a single value says nothing about its spread, so the interval is unbounded. */
export function meanInterval(values: readonly number[]): Interval {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  if (values.length < 2) return { value: mean, low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY }
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1)
  const half = z * Math.sqrt(variance / values.length)
  return { value: mean, low: mean - half, high: mean + half }
}
