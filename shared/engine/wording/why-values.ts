import type { Said } from '../core/asked.ts'

/** Why something was not done, as values of another sentence. */
export function whyValues(said: Said | undefined): Record<string, unknown> {
  return said === undefined ? {} : { why: said.code, whyValues: said.values }
}
