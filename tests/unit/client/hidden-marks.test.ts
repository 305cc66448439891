import { describe, expect, test } from 'vitest'
import { markHidden, mixesAlphabets, withoutHidden } from '../../../shared/words/hidden-marks.ts'

describe('markHidden', () => {
  test('shows what turns the direction of reading, and what has no width', () => {
    expect(markHidden('a\u202Eb')).toEqual([{ text: 'a' }, { mark: 'turns' }, { text: 'b' }])
    expect(markHidden('pay\u200B\u200Bpal')).toEqual([{ text: 'pay' }, { mark: 'unseen' }, { text: 'pal' }])
    expect(markHidden('x\u0000\u{E0041}')).toEqual([{ text: 'x' }, { mark: 'unseen' }])
    expect(markHidden('pay\u200Dpal')).toHaveLength(3)
    expect(markHidden('12\u200F-34')).toEqual([{ text: '12' }, { mark: 'turns' }, { text: '-34' }])
  })
  test.each([
    ...['\u00AD', '\u034F', '\u061C', '\u115F', '\u17B5', '\u180B', '\u180E', '\u200B', '\u200C', '\u200D'],
    ...['\u200E', '\u2060', '\u206A', '\u3164', '\uFE00', '\uFE0F', '\uFEFF', '\uFFA0'],
    ...['\uFFF9', '\u0085', '\u{1D173}', '\u{E0001}', '\u{E0041}', '\u{E0100}', '\u{E0FFF}'],
  ])('shows %j between Latin letters', (hidden) => {
    expect(markHidden(`a${hidden}b`)).toEqual([{ text: 'a' }, { mark: expect.any(String) }, { text: 'b' }])
    expect(withoutHidden(`a${hidden}b`)).toBe('ab')
  })
  test.each([
    ['lines and tabs', 'a\r\n\tb\nc'],
    ['a family', '\u{1F468}\u200D\u{1F469}\u200D\u{1F467}'],
    ['the flag of England', '\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}'],
    ['a heart, a hand and a key', '\u2764\uFE0F \u{1F44D}\u{1F3FD}\u200D 1\uFE0F\u20E3'],
    ['a Chinese name', '葛\u{E0100}'],
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
