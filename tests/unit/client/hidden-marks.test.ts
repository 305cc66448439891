import { describe, expect, test } from 'vitest'
import { markHidden, mixesAlphabets, withoutHidden } from '../../../client/hidden-marks.ts'

describe('markHidden', () => {
  test('shows what turns the direction of reading, and what has no width', () => {
    expect(markHidden('a\u202Eb')).toEqual([
      { text: 'a' },
      { mark: 'reading direction turned' },
      { text: 'b' },
    ])
    expect(markHidden('pay\u200B\u200Bpal')).toEqual([
      { text: 'pay' },
      { mark: 'invisible character' },
      { text: 'pal' },
    ])
    expect(markHidden('x\u0000\u{E0041}')).toEqual([{ text: 'x' }, { mark: 'invisible character' }])
    expect(markHidden('pay\u200Dpal')).toHaveLength(3)
  })
  test.each([
    ['lines and tabs', 'a\r\n\tb\nc'],
    ['a family', '\u{1F468}\u200D\u{1F469}\u200D\u{1F467}'],
    ['the flag of England', '\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}'],
    ['Persian', 'می\u200Cخواهم'],
    ['Hebrew', 'שלום \u200Fabc'],
    ['nothing', ''],
  ])('leaves %s alone', (_, text) => {
    expect(markHidden(text)).toEqual(text === '' ? [] : [{ text }])
    expect(withoutHidden(text)).toBe(text)
  })
})

test('withoutHidden takes out what could make words read as others', () => {
  expect(withoutHidden('\u202Emoc.live\u202C and pay\u200Bpal')).toBe('moc.live and paypal')
})

test.each([
  ['аda@example.com', true],
  ['ada@exаmple.com', true],
  ['ada@example.com', false],
  ['почта@пример.рф', false],
  ['jürgen@münchen.de', false],
  ['Write to аda', false],
])('%s mixes alphabets: %s', (address, mixed) => expect(mixesAlphabets(address)).toBe(mixed))
