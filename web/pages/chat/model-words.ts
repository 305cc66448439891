import { wordsOf } from '../../language.ts'

/** The texts of the model picker. */
export const modelWords = wordsOf('models', {
  model: 'Model',
  demo: 'Demo model',
  demoNote: 'A few rules, not a language model',
  ownKey: 'your key',
})
