import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { approvalQuestion } from './approval-question.ts'

const send = { name: 'send_email', confirm: 'Send "{subject}" to {to}?' }
const ask = (subject: unknown, to: unknown = ['eve@evil.example']) =>
  approvalQuestion(send, { subject, to }, [])

describe('what a person is asked to approve', () => {
  test.each([
    ['a quote', 'Hi" to ada@example.com? (was: "x', "Hi' to ada@example.com? (was: 'x"],
    ['typographic quotes', 'Hi” to ada@example.com? (was: “x', "Hi' to ada@example.com? (was: 'x"],
    ['German quotes', '„Hi“ to ada', "'Hi' to ada"],
    ['a wide quote', 'Hi＂ to ada', "Hi' to ada"],
    ['double primes', 'Hi″ to ada‶', "Hi' to ada'"],
    ['modifier letters', 'Hiʺ to adaˮ x˝ y˶', "Hi' to ada' x' y'"],
    ['gershayim and ditto marks', 'a״ b〃 c〞', "a' b' c'"],
    ['heavy quotes', 'a❞ b🙷', "a' b'"],
    ['two apostrophes', "Hi'' to ada", "Hi' to ada"],
    ['two of several kinds', "Hi’′ to ada`´ x‘'’", "Hi' to ada' x'"],
    ['quotes that a hidden character parts', "Hi'\u200B' to ada", "Hi' to ada"],
    ['quotes that a joiner parts', 'Hi’\u200D’\uFE0F‘ ʹ\u200Dʹ ❜\u200C❜ to ada', "Hi' ' ' to ada"],
    ['accents on nothing', '\u030BHi \u030E to ada', 'Hi to ada'],
    ['directions', 'Hi\u202E moc.live\u202C \u2066a\u2069 \u200Eb\u200F\u061C', 'Hi moc.live a b'],
    ['hidden characters', 'pay\u200B\u00AD\u2060\uFEFF\u180E\u034F\u{E0041}pal\u3164', 'paypal'],
    ['lines', 'Hi"\r\n\u2028to\u0085ada\u0000\u001B', "Hi' to ada"],
  ])('cannot be closed or turned around by %s', (_, subject, shown) => {
    expect(ask(subject)).toBe(`Send "${shown}" to "eve@evil.example"?`)
  })
  test.each([
    ['a name', 'O’Brien’s plan'],
    ['a family', 'Photos \u{1F468}\u200D\u{1F469}\u200D\u{1F467}'],
    ['a heart', 'With \u2764\uFE0F'],
    ['Persian', 'می\u200Cخواهم'],
    ['Hebrew', 'שלום'],
    ['accents', 'Cafe\u0301'],
    ['French quotes', '«Bonjour»'],
  ])('keeps %s as it is', (_, subject) => {
    expect(ask(subject)).toBe(`Send "${subject}" to "eve@evil.example"?`)
  })
  test('keeps each of several values by itself', () => {
    expect(ask('Hi', ['ada@example.com", "bob@example.com', 'x\u202E'])).toBe(
      'Send "Hi" to "ada@example.com\', \'bob@example.com", "x"?',
    )
  })
  test('does not let a value in an object close anything, or a name be something else', () => {
    const tool = { name: 'save_row' }
    expect(approvalQuestion(tool, { row: { a: 'x”}" \u202Ey' }, 'no\u202Ete': 1 }, [])).toBe(
      'Save row (row: (a: "x\'}\' y"), note: 1)?',
    )
  })
  test('stays one line, whoever gets it', () => {
    const mail = { name: 'send_email', confirm: 'Send "{subject}" to {to~people}?' }
    const people = Array.from({ length: 60 }, (_, index) => `p${index}@example.com`)
    expect(approvalQuestion(mail, { subject: 'Party', to: people }, ['to'])).toBe(
      'Send "Party" to 60 people?',
    )
    expect(approvalQuestion(mail, { subject: 'Party', to: ['a@b.de'], bcc: people }, ['to', 'bcc'])).toBe(
      'Send "Party" to "a@b.de"? (bcc: "p0@example.com", "p1@example.com", "p2@example.com" and 57 more)',
    )
  })
  test('a value takes no place of another one', () => {
    expect(ask('{to}', '{subject}')).toBe('Send "{to}" to "{subject}"?')
  })
  test('has two double quotes for a text, whatever it is', () => {
    const looksLikeQuote = /["\u02BA\u02EE\u201C-\u201F\u2033\u2036\uFF02]|'{2}|\p{Bidi_Control}/gu
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), fc.nat(20), (text, at) => {
        const quotes = "\"”“‟″‶＂ʺˮ''\u202E\u200B"
        const nasty = text.slice(0, at) + quotes + text.slice(at)
        expect(ask(nasty, 7)?.match(looksLikeQuote)).toEqual(['"', '"'])
      }),
    )
  })
})

test('a value is named as in its form: by its title, or else its name', () => {
  const properties = {
    p_order_id: { type: 'integer', title: 'order id' },
    sort_key: { type: 'string', title: 'key to sort by' },
  }
  const cancel = { name: 'cancel_order', parameters: { type: 'object', properties } }
  expect(approvalQuestion(cancel, { p_order_id: 7, sort_key: 'x', other_name: 'y' }, [])).toBe(
    'Cancel order (order id: 7, key to sort by: "x", other name: "y")?',
  )
})
