import { germanRefusals } from '../de-refusals.ts'
import type { Language } from '../language.ts'
import { showList } from '../locale.ts'
import { catalogue } from '../sentences/catalogue.ts'
import { inSettings } from '../sentences/in-settings.ts'
import { openai } from '../sentences/openai.ts'

const perSpan = { minute: 'pro Minute', hour: 'pro Stunde', day: 'pro Tag' }

export const german: Language = {
  locale: 'de',
  quotes: ['„', '“'],
  said: catalogue.de,
  inSettings: inSettings.de,
  refusals: germanRefusals,
  tools: {},
  providers: {},
  scopes: {},
  openai: openai.de,
  alsoNeeded: (fields) => `Außerdem nötig: ${showList(fields, 'de')}.`,
  offerPermission({ path, tool, pattern, max, per }) {
    const what = path === 'to' ? `an ${pattern} senden` : `„${tool}“ mit ${pattern} nutzen`
    return `Soll dieser Agent ${what} dürfen, ohne zu fragen, bis zu ${max}-mal ${perSpan[per]}?`
  },
}
