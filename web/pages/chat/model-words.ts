import { wordsOf } from '../../language.ts'

/** What the choice of a model says. */
export const modelWords = wordsOf('models', {
  model: 'Model',
  demo: 'Demo model',
  demoNote: 'A few rules, no language model',
  ownKey: 'your key',
})
