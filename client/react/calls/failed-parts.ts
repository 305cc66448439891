import { asObject } from '../../values/json-object.ts'

/** How many of the parts of a call failed, and how many there are. */
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

/** Whether at least one part failed. */
export function hasFailed(output: unknown): boolean {
  return countFailed(output).failed > 0
}
