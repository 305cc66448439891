import type { Language } from '../language.ts'
import { refused } from '../refused/refused.ts'
import { catalogue } from '../sentences/catalogue.ts'
import { inSettings } from '../sentences/in-settings.ts'
import { meanings } from '../sentences/meanings.ts'
import { openai } from '../sentences/openai.ts'

const perSpan = { minute: 'a minute', hour: 'an hour', day: 'a day' }

/** Fields that are named. */
const listedFields = 10

/** English, in which tools have their authors' words. Dates are written as in Britain where no region is known. */
export const english: Language = {
  locale: 'en-GB',
  quotes: ['"', '"'],
  said: catalogue.en,
  meanings: meanings.en,
  inSettings: inSettings.en,
  refusals: refused.en,
  tools: {},
  providers: {},
  scopes: {},
  openai: openai.en,
  alsoNeeded(fields) {
    const more = fields.length - listedFields
    const needed = fields.slice(0, listedFields).join(', ')
    return `Also needed: ${needed}${more > 0 ? ` and ${more} more` : ''}.`
  },
  doAgain: (button) => `${button} again`,
  offerPermission({ path, tool, pattern, max, per }) {
    const what = path === 'to' ? `send to ${pattern}` : `use "${tool}" with ${pattern}`
    return `Let this agent ${what} without asking, up to ${max} ${perSpan[per]}?`
  },
}
