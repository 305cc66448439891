import { asObject } from '../json-object.ts'

/** How many of the things that a call did at once did not work, and of how many. */
export function countFailed(output: unknown): { failed: number; total: number } {
  const items = Object.values(asObject(output))
    .filter(Array.isArray)
    .flat()
    .filter((item: unknown) => typeof item === 'object' && item !== null)
  const failed = items.filter((item) => {
    const { ok, error } = asObject(item)
    return ok === false || (typeof error === 'string' && error !== '')
  })
  return { failed: failed.length, total: items.length }
}

/** Whether at least one of them did not work. */
export function hasFailed(output: unknown): boolean {
  return countFailed(output).failed > 0
}
