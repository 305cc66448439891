import type { Language } from '../language.ts'
import { showList } from '../locale.ts'
import { refused } from '../refused/refused.ts'
import { catalogue } from '../sentences/catalogue.ts'
import { informal } from '../sentences/german-address.ts'
import { inSettings } from '../sentences/in-settings.ts'
import { meanings } from '../sentences/meanings.ts'
import { openai } from '../sentences/openai.ts'

const perSpan = { minute: 'pro Minute', hour: 'pro Stunde', day: 'pro Tag' }

export const german: Language = {
  locale: 'de',
  quotes: ['„', '“'],
  said: catalogue.de,
  meanings: meanings.de,
  inSettings: inSettings.de,
  refusals: refused.de(informal),
  tools: {},
  providers: {},
  scopes: {},
  openai: openai.de,
  alsoNeeded: (fields) => `Außerdem nötig: ${showList(fields, 'de')}.`,
  // A verb without a subject stands at the end.
  doAgain: (button) =>
    button.includes(' ')
      ? button.replace(/ (?=\S+$)/, ' erneut ')
      : `Erneut ${button.slice(0, 1).toLowerCase()}${button.slice(1)}`,
  offerPermission({ path, tool, pattern, max, per }) {
    const what =
      path === 'to'
        ? `An ${pattern} künftig ohne Nachfrage senden`
        : `„${tool}“ mit ${pattern} künftig ohne Nachfrage nutzen`
    return `${what} (höchstens ${max} Mal ${perSpan[per]})?`
  },
}
