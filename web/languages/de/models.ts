import type { Language } from '../language.ts'

export const models: Language['models'] = {
  model: 'Modell',
  demo: 'Demomodell',
  demoNote: 'Ein paar Regeln, kein Sprachmodell',
  ownKey: 'dein Schlüssel',
}
