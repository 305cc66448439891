/**
 * Concurrent requests, also per second: Gmail allows 250 units per second and user, and reading an email costs 5
 * (https://developers.google.com/workspace/gmail/api/reference/quota).
 */
const batchSize = 50
const batchMs = 1000

/** Processes the items in order, in batches within Gmail's limit; the first failure stops it. */
export async function eachInBatches<T, R>(items: readonly T[], step: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (let start = 0; start < items.length; start += batchSize) {
    const second = start + batchSize < items.length ? pause(batchMs) : undefined
    results.push(...(await Promise.all(items.slice(start, start + batchSize).map(step))))
    await second
  }
  return results
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
