import type { Language } from '../language.ts'

export const calls: Language['calls'] = {
  title: (app, count) => `${count} Aufrufe von „${app}“ an diesem Tag`,
}
