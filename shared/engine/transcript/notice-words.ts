import type { Nudge, OwnText } from './entry.ts'
import { ownText } from './own-text.ts'

const codes = {
  empty: 'model_empty',
  length: 'model_cut_off',
  malformed: 'model_malformed',
  repetition: 'model_repeats',
} as const satisfies Record<Nudge['stall'], OwnText['code']>

/** What people are told while a model is asked again because of a bad answer. */
export function noticeOf({ stall }: Nudge): OwnText {
  return ownText({ code: codes[stall] })
}

/** What people are told while a model that keeps failing is asked again. */
export const notResponding: OwnText = ownText({ code: 'model_not_responding' })
