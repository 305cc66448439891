import { describe, expect, it } from 'vitest'
import type { CallRpc } from '../../../shared/server/database/call-rpc.ts'
import { withToolWords } from '../../../shared/server/database/load-words.ts'
import { languageFor } from '../../../shared/words/languages/languages.ts'

const titled = (title: string) => ({ send: { title, fields: {} } })
const provider = { description: 'Mails.', purpose: 'zu senden', fields: {}, scopes: { all: 'Alles' } }

/** A database whose answers are given; the last one is given again. A text is how it fails. */
function createRpc(...answers: unknown[]) {
  const asked: unknown[] = []
  const rpc: CallRpc = async (name, args) => {
    asked.push([name, args])
    const answer = answers.length > 1 ? answers.shift() : answers[0]
    if (typeof answer === 'string') throw new Error(answer)
    return answer
  }
  return { rpc, asked }
}

describe('the words of tools in a language', () => {
  it('are not asked for by English readers', async () => {
    const { rpc, asked } = createRpc(null)
    const english = languageFor({ locale: 'en-US' })
    expect(await withToolWords(rpc, english)).toEqual(english)
    expect(asked).toEqual([])
  })

  it('are kept until the catalogue changes, and not asked for if it is known to be the same', async () => {
    const german = languageFor({ locale: 'de-CH' })
    const first = { version: 'v1', tools: titled('Senden'), providers: { mail: provider } }
    const second = { ...first, version: 'v2', tools: titled('Verschicken') }
    const { rpc, asked } = createRpc(first, null, second)
    const titles = []
    for (const version of [undefined, 'v1', undefined, 'v2']) {
      const { tools, scopes } = await withToolWords(rpc, german, version)
      titles.push(tools.send?.title)
      expect(scopes).toEqual({ all: 'Alles' })
    }
    expect(titles).toEqual(['Senden', 'Senden', 'Senden', 'Verschicken'])
    expect(asked).toEqual([
      ['load_words', { p_language: 'de-CH', p_version: null }],
      ['load_words', { p_language: 'de-CH', p_version: 'v1' }],
      ['load_words', { p_language: 'de-CH', p_version: 'v1' }],
    ])
  })

  it('are those that were read last while the database does not answer, and English before that', async () => {
    const german = languageFor({ locale: 'de-LI' })
    const read = { version: 'v1', tools: titled('Senden'), providers: {} }
    const { rpc } = createRpc('down', read, 'down')
    expect((await withToolWords(rpc, german)).tools).toEqual({})
    expect((await withToolWords(rpc, german)).tools).toEqual(titled('Senden'))
    expect((await withToolWords(rpc, german)).tools).toEqual(titled('Senden'))
  })
})
