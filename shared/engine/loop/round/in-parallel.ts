/**
 * Runs `work` on every item, in order, at most `limit` at a time. Rejects with the first rejection, after
 * which nothing more is started.
 */
export async function inParallel<T>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  const [only] = items
  if (only !== undefined && items.length === 1) {
    await work(only)
    return
  }
  const left = items.values()
  const lane = async () => {
    for (const item of left) await work(item)
  }
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, lane))
}
