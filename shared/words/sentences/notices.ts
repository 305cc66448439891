import type { Say } from '../said.ts'
import type { Subject } from './subject.ts'
import { budgetOwners, budgetWindows } from './waits.ts'

const nearInEnglish: Say = ({ values: { scope, per, share } }) =>
  per === undefined || share === undefined
    ? undefined
    : `${budgetOwners.en[String(scope)] ?? 'You’ve'} used ${share}% of ${budgetWindows.en[String(per)]} budget.`

const nearInGerman: Say = ({ values: { scope, per, share }, show }) =>
  per === undefined || share === undefined
    ? undefined
    : `${budgetOwners.de[String(scope)] ?? 'Dein Budget'} für ${budgetWindows.de[String(per)]} ist zu ${show.value(share)} % verbraucht.`

/** What is said while a message is being written. */
export const notices = {
  en: {
    model_empty: () => 'The language model gave no answer. Asking again.',
    model_cut_off: () => 'The answer of the language model was cut off. Asking again.',
    model_malformed: () => 'The answer of the language model could not be read. Asking again.',
    model_repeats: () => 'The language model is repeating itself. Asking for its answer.',
    budget_near: nearInEnglish,
    model_not_responding: () => 'The model isn’t responding; trying again …',
  },
  de: {
    model_empty: () => 'Das Sprachmodell hat nichts geantwortet. Ich frage noch einmal.',
    model_cut_off: () => 'Die Antwort des Sprachmodells war abgeschnitten. Ich frage noch einmal.',
    model_malformed: () => 'Die Antwort des Sprachmodells war nicht lesbar. Ich frage noch einmal.',
    model_repeats: () => 'Das Sprachmodell wiederholt sich. Ich bitte um seine Antwort.',
    budget_near: nearInGerman,
    model_not_responding: () => 'Das Sprachmodell antwortet nicht; neuer Versuch …',
  },
} satisfies Subject<
  | 'model_empty'
  | 'model_cut_off'
  | 'model_malformed'
  | 'model_repeats'
  | 'budget_near'
  | 'model_not_responding'
>
