import { expect, it } from 'vitest'
import { decideReader, type ReaderNames } from '../../../shared/words/reader.ts'

const have = ['en', 'de']
const german = { language: 'de', timeZone: 'Europe/Berlin' }

it.each<[string, ReaderNames, ReturnType<typeof decideReader>]>([
  ['nobody names anything', { client: {} }, { locale: 'en' }],
  ['the client names a language', { client: { language: 'de' } }, { locale: 'de' }],
  ['the client names a region', { client: { language: 'de-at' } }, { locale: 'de-AT' }],
  [
    'the client names another language than the account and the browser',
    { client: { language: 'en' }, account: { language: 'de' }, accepted: 'de' },
    { locale: 'en' },
  ],
  [
    'the client names none that we have',
    { client: { language: 'fr' }, account: { language: 'de' } },
    { locale: 'de' },
  ],
  ['the client names no language at all', { client: { language: '*' } }, { locale: 'en' }],
  [
    'the account has one, and the browser accepts another',
    { client: {}, account: { language: 'de' }, accepted: 'en-GB,en;q=0.9' },
    { locale: 'de' },
  ],
  [
    'the browser accepts several',
    { client: {}, accepted: 'fr-CH, fr;q=0.9, de-CH;q=0.8, en;q=0.7' },
    { locale: 'de-CH' },
  ],
  ['the browser wants the second most', { client: {}, accepted: 'en;q=0.2,de;q=0.8' }, { locale: 'de' }],
  ['the browser does not want it', { client: {}, accepted: 'de;q=0' }, { locale: 'en' }],
  ['the browser accepts none that we have', { client: {}, accepted: 'fr,it;q=0.5' }, { locale: 'en' }],
  ['a server accepts anything', { client: {}, accepted: '*' }, { locale: 'en' }],
  ['a server accepts anything, with a weight', { client: {}, accepted: '*;q=0.5' }, { locale: 'en' }],
  [
    'a server accepts anything for a German account',
    { client: {}, account: { language: 'de' }, accepted: '*' },
    { locale: 'de' },
  ],
  ['the header is nonsense', { client: {}, accepted: ';;q=,,=de,\u0000' }, { locale: 'en' }],
  ['a tag brings its own digits', { client: { language: 'de-DE-u-nu-arab' } }, { locale: 'de-DE' }],
  [
    'the account has a time zone',
    { client: {}, account: german },
    { locale: 'de', timeZone: 'Europe/Berlin' },
  ],
  [
    'the client is somewhere else',
    { client: { timeZone: 'Asia/Tokyo' }, account: german },
    { locale: 'de', timeZone: 'Asia/Tokyo' },
  ],
  ['the account has none', { client: {}, account: { language: null, timeZone: null } }, { locale: 'en' }],
])('finds the reader where %s', (_, names, reader) => {
  expect(decideReader(names, have)).toEqual(reader)
})
