/**
 * Requests at once, and within a second: Gmail allows 250 units a second for each user, and looking at an email costs 5
 * (https://developers.google.com/workspace/gmail/api/reference/quota).
 */
const batchSize = 50
const batchMs = 1000

/** Does something with each item, in order, in batches that keep to Gmail's limit; the first failure ends it. */
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
