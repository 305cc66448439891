import { afterEach, describe, expect, test } from 'vitest'
import { withToolWords } from '../../../shared/server/database/load-words.ts'
import { languageFor, overrule } from '../../../shared/words/languages/languages.ts'
import { sayOwn, sayRefusal } from '../../../shared/words/say.ts'

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
    overrule({ de: { refusals: { not_found: 'Gibt es nicht.' } } })
    expect(sayRefusal(inGerman(), { code: 'not_found', text: 'There is nothing.' })).toBe('Gibt es nicht.')
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
})
