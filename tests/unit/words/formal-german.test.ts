import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'
import { readIntegrations } from '../../../local/integrations/read-integrations.ts'
import { withToolWords } from '../../../shared/server/database/load-words.ts'
import { formalGerman } from '../../../shared/words/formal-german/formal-german.ts'
import type { Language } from '../../../shared/words/language.ts'
import { languageFor, overrule } from '../../../shared/words/languages/languages.ts'
import { saidParts } from '../../../shared/words/say.ts'
import { sentences } from '../../../shared/words/sentence-codes.ts'
import { project } from '../../../support/stack.ts'

/** Words that call somebody "du", and orders to somebody who is. */
const informal =
  /(?<![\p{L}])(?:du|dir|dich|dein(?:e[mnrs]?)?|hast|bist|kannst|darfst|musst|willst|meinst|siehst|brauchst|[Bb]itte (?:nenne|wähle|schreibe|gib|sag|korrigiere)|Gib|Verbinde|Prüfe|Kopiere|Trage|trage|Lösche|Versuche|Schick|schick|Sag|sag|Lade|Warte|Sende|Melde|Lies|Teile|Nimm|nimm|beginn|Beginne|Wähle|ändere|Ändere|Entferne|entferne|Hänge|Korrigiere|Widerrufe|richte|Füge|füge|Lege|Nenne|nenne|Lass|lass|Füll|Schreib|Verfolge|erlaube|frag|Versuch es|Verlang|verlang|Frag)(?![\p{L}])/u

const integrations = await readIntegrations(join(project, 'supabase/functions'))
const all = (part: 'tools' | 'providers') =>
  Object.assign({}, ...integrations.map(({ words }) => words?.de?.[part] ?? {}))
const stored = { version: '1', tools: all('tools'), providers: all('providers') }

const known: Readonly<Record<string, unknown>> = {
  accounts: ['ada@example.com', 'bob@example.com'],
  addresses: ['https://example.com/a'],
  answered: { from: 'no-reply@example.com', replyTo: 'ada@example.com' },
  at: '2026-11-23T10:00:00Z',
  changed: [{ what: 'places', before: 1, now: 2 }],
  input: { to: ['ada@example.com'], subject: 'Hi' },
  labels: ['Work'],
  limit: 3,
  max: 3,
  measure: 'tokens',
  origins: [{ value: 'ada@example.com', from: 'message' }],
  others: ['Brave'],
  per: 'day',
  resumeAt: '2026-11-23T10:00:00Z',
  retryAfterMs: 2000,
  share: 80,
  sites: ['example.com'],
  tabs: ['May'],
  toolName: 'smtp_send_email',
  tools: ['Send email'],
  versions: [{ revision: 3, until: '2026-11-23T10:00:00Z' }],
}
/** What else decides what a sentence says. */
const variants: Record<string, unknown>[] = [
  {},
  { isDone: true },
  { isSecond: true },
  { isPermitted: true },
  { isKey: true },
  { isReading: true },
  { canWait: false },
  { measure: 'writes' },
  { scope: 'agent' },
  { privateRead: 'message' },
  { privateRead: 'message', addresses: undefined },
  { origins: undefined, addresses: undefined },
  { addresses: ['https://example.com/a', 'https://example.com/b'] },
  { parameter: 'from' },
  { parameter: 'to' },
  { input: undefined },
  { value: 'Bob', field: 'name' },
  { find: undefined },
  ...['busy', 'not_reached', 'key_refused', 'web_page', 'not_taken', 'own_key_silent', 'own_key_unused'].map(
    (why) => ({ why }),
  ),
  ...['message', 'setup', 'turn', 'denied', 'new_message', 'skipped', 'host_missing'].map((why) => ({ why })),
]

/** All that a sentence can say. */
function sayings(language: Language, code: string, names: readonly string[]): string[] {
  const values = Object.fromEntries(names.map((name) => [name, known[name] ?? 'something']))
  return [{}, ...variants.map((variant) => ({ ...known, ...values, ...variant }))].flatMap((given) =>
    Object.values(saidParts(language, code, given, known.input as Record<string, unknown>) ?? {}).filter(
      (text) => typeof text === 'string',
    ),
  )
}

const readGerman = () => withToolWords(async () => stored, languageFor({ locale: 'de' }))
let formal: Language

beforeEach(async () => {
  overrule({ de: formalGerman })
  formal = await readGerman()
})
afterEach(() => overrule({}))

describe('formal German', () => {
  it.each(Object.entries<{ says: string; values?: readonly string[] }>(sentences))(
    'says %s without "du"',
    (code, { values = [] }) => {
      expect(sayings(formal, code, values).filter((text) => informal.test(text))).toEqual([])
    },
  )

  it('says nothing else in the settings', () => {
    const settings = { ...formal, said: { ...formal.said, ...formal.inSettings } }
    for (const code of Object.keys(formal.inSettings))
      expect([code, sayings(settings, code, []).filter((text) => informal.test(text))]).toEqual([code, []])
  })

  it('says all else without "du"', () => {
    const texts = JSON.stringify([formal.tools, formal.providers, formal.openai])
    expect(texts.match(new RegExp(informal, 'gu'))).toBeNull()
    expect(formal.openai.notDone('Ticket', 'deny', false)).toBe(
      'Nicht erledigt, von Ihnen abgelehnt: Ticket.',
    )
  })

  it('is the same German but for whom it speaks to', async () => {
    overrule({})
    const ours = await readGerman()
    for (const code of Object.keys(formalGerman.said ?? {})) {
      expect([code, Object.hasOwn(sentences, code)]).toEqual([code, true])
      expect(sayings(ours, code, []).length).toBe(sayings(formal, code, []).length)
    }
  })
})

test('German that is not formal says "du"', async () => {
  overrule({})
  const ours = await readGerman()
  expect(sayings(ours, 'denied', []).filter((text) => informal.test(text))).not.toEqual([])
  expect(JSON.stringify(ours.tools)).toMatch(informal)
})
