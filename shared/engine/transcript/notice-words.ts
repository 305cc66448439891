import type { Nudge, OwnText } from './entry.ts'

const words: Record<Nudge['stall'], OwnText> = {
  empty: { code: 'model_empty', text: 'The language model gave no answer. It is asked again.' },
  length: { code: 'model_cut_off', text: 'The answer of the language model was cut off. It is asked again.' },
  malformed: {
    code: 'model_malformed',
    text: 'The language model gave an answer that cannot be read. It is asked again.',
  },
  repetition: {
    code: 'model_repeats',
    text: 'The language model repeats itself. It is asked for its answer.',
  },
}

/** What people are told while a model is asked again. */
export function noticeOf({ stall }: Nudge): OwnText {
  return words[stall]
}
