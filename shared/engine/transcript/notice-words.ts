import type { Nudge, OwnText } from './entry.ts'

const words: Record<Nudge['stall'], OwnText> = {
  empty: { code: 'model_empty', text: 'The language model gave no answer. Asking again.' },
  length: { code: 'model_cut_off', text: 'The answer of the language model was cut off. Asking again.' },
  malformed: {
    code: 'model_malformed',
    text: 'The answer of the language model could not be read. Asking again.',
  },
  repetition: {
    code: 'model_repeats',
    text: 'The language model is repeating itself. Asking for its answer.',
  },
}

/** What people are told while a model is asked again because of a bad answer. */
export function noticeOf({ stall }: Nudge): OwnText {
  return words[stall]
}

/** What people are told while a model that keeps failing is asked again. */
export const notResponding: OwnText = {
  code: 'model_not_responding',
  text: 'The model isn’t responding; trying again …',
}
