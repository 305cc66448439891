import type { Said } from '../core/asked.ts'
import type { Nudge } from './entry.ts'

const codes = {
  empty: 'model_empty',
  length: 'model_cut_off',
  malformed: 'model_malformed',
  repetition: 'model_repeats',
} as const satisfies Record<Nudge['stall'], Said['code']>

/** What people are told while a model is asked again because of a bad answer. */
export function noticeOf({ stall }: Nudge): Said {
  return { code: codes[stall] }
}

/** What people are told while a model that keeps failing is asked again. */
export const notResponding: Said = { code: 'model_not_responding' }
