import { asObject } from './message-blocks.ts'

/** Of a call that did several things at once: how many of them did not work, and of how many. */
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
