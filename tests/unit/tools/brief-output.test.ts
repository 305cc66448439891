import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isBareList, listMails, onlyMailIn } from '../../../shared/engine/provenance/answered-mail.ts'
import { hasOtherText, trustedValues } from '../../../shared/engine/provenance/trusted-output.ts'
import { briefOutput } from '../../../shared/engine/tools/brief-output.ts'

const long = 'What was said goes on and on. '.repeat(200)

test('a short output has no brief, nor has one of which nothing is left out', () => {
  expect(briefOutput({ text: 'Short.' })).toBeUndefined()
  expect(
    briefOutput(Array.from({ length: 500 }, (_, id) => ({ id, name: `Document ${id}` }))),
  ).toBeUndefined()
})

test('a brief holds structure, ids, titles, addresses and numbers, and the ends of long texts', () => {
  const mail = {
    id: '18c2f',
    thread_id: 't-9',
    from: `${'"Ada Lovelace, of the Analytical Society" '.repeat(4)}<ada@example.com>`,
    subject: `Re: ${'the second meeting '.repeat(12)}`,
    unread: true,
    size: 20480,
    body: `Dear Kim, ${long} see https://example.org/plan?id=7, or ask bob@example.com. ${long} Yours, Ada`,
  }
  const [brief] = briefOutput([mail]) as [typeof mail]
  expect(brief).toEqual({ ...mail, body: expect.any(String) })
  expect(brief.body).toMatch(
    /^Dear Kim, What.* … https:\/\/example\.org\/plan\?id=7 bob@example\.com … .*Yours, Ada$/,
  )
  expect(brief.body.length).toBeLessThan(800)
})

test('values at the paths that a tool declares as trusted stay whole', () => {
  const output = { ok: true, data: { contacts: [{ note: long, value: long }] } }
  const brief = briefOutput(output, ['contacts[*].value'])
  expect(brief).toMatchObject({ data: { contacts: [{ value: long, note: expect.stringContaining(' … ') }] } })
})

test('what an MCP server returns as JSON in a text stays JSON', () => {
  const brief = briefOutput(JSON.stringify({ id: 'doc-1', content: long }))
  expect(JSON.parse(String(brief))).toEqual({ id: 'doc-1', content: expect.stringContaining(' … ') })
  const exact = `{"id": 12345678901234567890, "content": "${long}"}`
  expect(briefOutput(exact)).toMatch(/^\{"id": 12345678901234567890/)
})

test('nothing reads as a shorter number or address than it is', () => {
  const text = `${'x'.repeat(350)} 12345678 ${long.repeat(3)}`
  for (let length = 0; length < 60; length++) {
    const brief = briefOutput([`${'y'.repeat(length)} ${text}`]) as string[]
    for (const [number] of String(brief[0]).matchAll(/\d+/g)) expect(number).toBe('12345678')
  }
})

const word = fc.constantFrom(
  'a',
  ' ',
  '\n',
  'Ada',
  'ada@example.com',
  'https://a.example/x',
  '7',
  '{"a": 1}',
  '…',
)
const text = fc
  .tuple(fc.array(word, { minLength: 1, maxLength: 6 }), fc.constantFrom(1, 60, 400))
  .map(([words, times]) => words.join('').repeat(times))
const member = fc.constantFrom(
  'id',
  'from',
  'to',
  'reply_to',
  'subject',
  'body',
  'snippet',
  'labels',
  'text',
  'data',
  'contacts',
  'email',
)
const { output } = fc.letrec((tie) => ({
  output: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    text,
    fc.integer(),
    fc.boolean(),
    fc.array(tie('output'), { maxLength: 4 }),
    fc.dictionary(member, tie('output'), { maxKeys: 6 }),
    fc.record({ id: text, from: text, subject: text, body: tie('output') }),
    fc.record({ id: text, from: text, reply_to: text, body: tie('output') }),
  ),
}))
const trusted = ['contacts[*].email', 'data.from', 'from']

test('rules read of a brief what they read of the whole: which mails it shows, whether only a list, what is trusted', () => {
  let briefs = 0
  fc.assert(
    fc.property(output, (whole) => {
      const brief = briefOutput(whole, trusted)
      if (brief === undefined) return
      briefs++
      expect(listMails(brief)).toEqual(listMails(whole))
      expect(trustedValues(brief, trusted, true)).toEqual(trustedValues(whole, trusted, true))
      expect(trustedValues(brief, trusted, false)).toEqual(trustedValues(whole, trusted, false))
      expect(hasOtherText(brief, trusted)).toBe(hasOtherText(whole, trusted))
      // Less may be known, never more.
      if (onlyMailIn(brief) !== undefined) expect(onlyMailIn(brief)).toBe(onlyMailIn(whole))
      if (isBareList(brief)) expect(isBareList(whole)).toBe(true)
    }),
    { numRuns: 3000 },
  )
  expect(briefs).toBeGreaterThan(200)
})
