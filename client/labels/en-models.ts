/** The English labels of the choice of models, which is there before anything else of the chat. */
export const englishModels = {
  model: 'Model',
  demo: 'Demo model',
  demoNote: 'A few rules, not a language model',
  ownKey: 'your key',
}

export type ModelLabels = typeof englishModels
