import { afterEach, describe, expect, test } from 'vitest'
import { withToolWords } from '../../../shared/server/database/load-words.ts'
import type { Language } from '../../../shared/words/language.ts'
import { sayTo } from '../../../shared/words/languages/in-english.ts'
import { languageFor, languageTags, overrule } from '../../../shared/words/languages/languages.ts'
import { decideReader } from '../../../shared/words/reader.ts'
import { sayOwn, sayRefusal } from '../../../shared/words/say.ts'
import { asInSettings } from '../../../supabase/functions/integration-settings/provider-words.ts'

afterEach(() => overrule({}))

const denied = { code: 'denied', text: 'You denied this.' }
const inGerman = () => languageFor({ locale: 'de-AT' })

describe('the own words of a project', () => {
  test('stand in place of ours, in their language alone', () => {
    const ours = sayOwn(inGerman(), denied)
    overrule({ de: { said: { denied: () => 'Abgelehnt.' } } })
    expect(sayOwn(inGerman(), denied)).toBe('Abgelehnt.')
    expect(sayOwn(languageFor({ locale: 'en' }), denied)).toBe('You denied this.')
    expect(sayOwn(inGerman(), { code: 'skipped', text: '' })).not.toBe('')
    overrule({})
    expect(sayOwn(inGerman(), denied)).toBe(ours)
  })

  test('leave what they cannot say to ours', () => {
    const ours = sayOwn(inGerman(), denied)
    for (const fails of [
      () => undefined,
      () => {
        throw new Error('no words')
      },
    ]) {
      overrule({ de: { said: { denied: fails } } })
      expect(sayOwn(inGerman(), denied)).toBe(ours)
    }
  })

  test('say why a request is refused', () => {
    const refusal = { code: 'not_found', values: { method: 'GET', path: '/x' } }
    const ours = sayRefusal(inGerman(), refusal)
    overrule({ de: { refusals: { not_found: 'Gibt es nicht.' } } })
    expect(sayRefusal(inGerman(), refusal)).toBe('Gibt es nicht.')
    overrule({ de: { refusals: { not_found: ({ path }: { path: string }) => `${path}: nichts.` } } })
    expect(sayRefusal(inGerman(), refusal)).toBe('/x: nichts.')
    const fails = () => {
      throw new Error('no words')
    }
    overrule({ de: { refusals: { not_found: fails } } })
    expect(sayRefusal(inGerman(), refusal)).toBe(ours)
  })

  test('replace single texts of a tool, and leave a tool that is English as it is', async () => {
    overrule({
      de: {
        tools: {
          send: { fields: { to: { question: 'Wem?' } } },
          other: { title: 'Anderes' },
        },
      },
    })
    const words = {
      version: '1',
      tools: { send: { title: 'Senden', fields: { to: { title: 'An', question: 'An wen?' } } } },
      providers: {},
    }
    const { tools } = await withToolWords(async () => words, inGerman())
    expect(tools).toEqual({ send: { title: 'Senden', fields: { to: { title: 'An', question: 'Wem?' } } } })
  })

  test('stand in the settings, too, whatever ours says there', () => {
    const refused = { code: 'key_refused', values: { provider: 'Serper' }, text: '' }
    const inSettings = () => sayOwn(asInSettings(inGerman()), refused)
    const ours = inSettings()
    overrule({ de: { said: { key_refused: ({ provider }) => `${provider} will nicht.` } } })
    expect([sayOwn(inGerman(), refused), inSettings()]).toEqual(['Serper will nicht.', 'Serper will nicht.'])
    overrule({ de: { said: { key_refused: () => undefined } } })
    expect(inSettings()).toBe(ours)
    overrule({
      de: { said: { key_refused: () => 'Überall.' }, inSettings: { key_refused: () => 'Hier.' } },
    })
    expect([sayOwn(inGerman(), refused), inSettings()]).toEqual(['Überall.', 'Hier.'])
  })

  test('count in the regions of their language, each of which may have its own', () => {
    overrule({
      'de-AT': { said: { denied: () => 'Nein, danke.' } },
      de: { said: { denied: () => 'Nein.', skipped: () => 'Lassen wir.' } },
    })
    const say = (locale: string, code: string) => sayOwn(languageFor({ locale }), { code, text: '' })
    expect([say('de-CH', 'denied'), say('de-AT', 'denied'), say('de-AT', 'skipped')]).toEqual([
      'Nein.',
      'Nein, danke.',
      'Lassen wir.',
    ])
  })

  test('that no language names are reported', () => {
    expect(overrule({ 'pt_BR!': {}, fr: {} })).toEqual(['pt_BR!'])
    expect(languageTags()).toEqual(['en', 'de', 'fr'])
  })
})

describe('a language of the project’s own', () => {
  const french = () => languageFor({ locale: 'fr-CA', timeZone: 'UTC' })
  const send = {
    name: 'send',
    description: '',
    effect: 'write',
    title: 'Send email',
    confirm: 'Send to {to}?',
    parameters: { type: 'object', properties: { to: { type: 'string', title: 'Recipient' } } },
  }
  const catalogue: Record<string, unknown> = {
    load_words: { version: 'french', tools: {}, providers: {} },
    load_catalogue: { version: 'french', tools: [{ specification: send }], providers: [] },
  }
  const withTools = (language: Language) => withToolWords(async (name) => catalogue[name], language)
  const about = { values: { tool: 'Send email', toolName: 'send' }, input: { to: 'Ada' } }

  test('is among those of readers, and says what it can', () => {
    expect(decideReader({ client: { language: 'fr-CA' } }, languageTags()).locale).toBe('en')
    overrule({ fr: { said: { denied: () => 'Refusé.' } } })
    expect(decideReader({ client: { language: 'fr-CA' } }, languageTags()).locale).toBe('fr-CA')
    expect(sayOwn(french(), denied)).toBe('Refusé.')
  })

  test('is English where a sentence is missing, with the English words of the project', () => {
    overrule({ fr: {}, en: { said: { denied: () => 'You said no.' } } })
    expect(sayOwn(french(), denied)).toBe('You said no.')
    expect(sayOwn(french(), { code: 'skipped' })).toBe(
      sayOwn(languageFor({ locale: 'en' }), { code: 'skipped' }),
    )
    expect(french().openai).toEqual(languageFor({ locale: 'en' }).openai)
  })

  test('says why a request is refused, as far as it can', () => {
    const refusal = { code: 'not_found', values: { method: 'GET', path: '/x' } }
    const inEnglish = sayRefusal(languageFor({ locale: 'en' }), refusal)
    overrule({ fr: { refusals: { not_found: ({ path }: { path: string }) => `${path} : rien.` } } })
    expect(sayRefusal(french(), refusal)).toBe('/x : rien.')
    overrule({ fr: { refusals: { not_found: () => '' } } })
    expect(sayRefusal(french(), refusal)).toBe(inEnglish)
    overrule({ fr: {} })
    expect(sayRefusal(french(), refusal)).toBe(inEnglish)
  })

  test('is in no sentence together with English, neither for a reason nor for what clients are told', () => {
    overrule({
      fr: { said: { wait_for_tool: ({ why }) => `Attente : ${why()}` }, openai: { approve: 'Approuvez' } },
    })
    const waiting = { code: 'wait_for_tool', values: { tool: 'Send', why: 'denied' } }
    expect(sayOwn(french(), waiting)).toBe('You denied this.')
    expect(french().openai.approve).toBe(languageFor({ locale: 'en' }).openai.approve)
  })

  test('takes the words of a tool if none is missing', async () => {
    const said = { approve: ({ confirm }: { confirm: string | undefined }) => confirm }
    const whole = { title: 'Envoyer', confirm: 'Envoyer à {to} ?', fields: { to: { title: 'Destinataire' } } }
    overrule({ fr: { quotes: ['«', '»'], said, tools: { send: whole } } })
    expect(
      sayTo(await withTools(french()), { code: 'approve', ...about }, { tool: send, ...about })?.asked,
    ).toBe('Envoyer à «Ada» ?')
    const { confirm: _, ...less } = whole
    overrule({ fr: { said, tools: { send: less } } })
    expect(
      sayTo(await withTools(french()), { code: 'approve', ...about }, { tool: send, ...about })?.asked,
    ).toBe('Send to "Ada"?')
  })

  test('may be English: single texts of a tool are replaced', async () => {
    overrule({ en: { tools: { send: { confirm: 'Mail {to}?' } } } })
    const english = await withTools(languageFor({ locale: 'en-GB' }))
    expect(english.tools.send).toMatchObject({ title: 'Send email', confirm: 'Mail {to}?' })
    const asked = (language: Language) =>
      sayTo(language, { code: 'approve', ...about }, { tool: send, ...about })?.asked
    expect(asked(english)).toBe('Mail "Ada"?')
    const german = await withTools(inGerman())
    expect(asked(german)).toBe('Mail "Ada"?')
  })
})
