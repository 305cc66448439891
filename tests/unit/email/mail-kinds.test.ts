import { Buffer } from 'node:buffer'
import { describe, expect, test } from 'vitest'
import type { MailView } from '../../../supabase/functions/gmail-api/mail-view.ts'
import {
  file,
  forwarded,
  html,
  multi,
  ofBytes,
  plain,
  shown,
  shownAs,
  text,
  type WrittenPart,
  write,
} from '../../../support/written-mail.ts'

/** What of a mail must be read, and what must not. */
interface Reading {
  has?: string[]
  hasNot?: string[]
  body?: string
}

const picture = (name = 'logo.png') =>
  file(name, 'image/png', { disposition: 'inline', headers: ['Content-ID: <logo>'] })
const pdf = file('Invoice.pdf', 'application/pdf')
const listFooter = plain(
  '_______________________________________________\nTeam mailing list -- team@lists.example.org\nTo unsubscribe send an email to team-leave@lists.example.org',
)
const receipt =
  '<table><tr><th>Item</th><th>Price</th></tr><tr><td>Tea</td><td>12.00</td></tr><tr><td>Cup</td><td>8.50</td></tr><tr><td>Total</td><td>20.50 EUR</td></tr></table>'
const calendar = (...lines: string[]) =>
  [
    'BEGIN:VCALENDAR',
    'PRODID:-//Example//EN',
    'VERSION:2.0',
    ...lines.filter((line) => line.startsWith('METHOD')),
    'BEGIN:VEVENT',
    'UID:1@example.com',
    ...lines.filter((line) => !line.startsWith('METHOD')),
    'END:VEVENT',
    'END:VCALENDAR',
  ].join('\r\n')
const invitation = calendar(
  'METHOD:REQUEST',
  'SUMMARY:Budget\\, second round',
  'DTSTART;TZID=Europe/Berlin:20261201T090000',
  'DTEND;TZID=Europe/Berlin:20261201T103000',
  'LOCATION:Room 5\\, second floor',
  'ORGANIZER;CN="Grace Hopper":mailto:grace@example.com',
  'ATTENDEE;CN=Ada;PARTSTAT=NEEDS-ACTION:mailto:ada@example.com',
)

const read = (content: WrittenPart) => shown(content).body ?? ''

function check(body: string, { has = [], hasNot = [], body: whole }: Reading) {
  if (whole !== undefined) expect(body).toBe(whole)
  for (const words of has) expect(body).toContain(words)
  for (const words of hasNot) expect(body).not.toContain(words)
}

describe('a mail is what a person reads', () => {
  test.each<[string, WrittenPart, Reading]>([
    [
      'a plain letter',
      plain('Hello Ada,\r\n\r\nsee you at ten.\r\n'),
      { body: 'Hello Ada,\n\nsee you at ten.' },
    ],
    [
      'a letter in both forms is read once, as its plain text',
      multi(
        'alternative',
        plain('Hello Ada, see you at *ten*.'),
        html('<p>Hello Ada, see you at <b>ten</b>.</p>'),
      ),
      { body: 'Hello Ada, see you at *ten*.' },
    ],
    [
      'a newsletter whose plain part only says where to look',
      multi(
        'alternative',
        plain('View this email in your browser: https://news.example/v/abc'),
        html('<h1>Spring</h1><p>Your train leaves at <b>7:42</b> from platform 9.</p>'),
      ),
      { has: ['7:42', 'platform 9'], hasNot: ['in your browser'] },
    ],
    [
      'a plain part that only asks for another program, in any language',
      multi(
        'alternative',
        plain('Diese Nachricht ist im HTML-Format. Bitte verwenden Sie ein anderes Programm.'),
        html(`<p>Rechnung 4711</p>${receipt}`),
      ),
      { has: ['4711', '20.50 EUR'], hasNot: ['Bitte verwenden'] },
    ],
    [
      'a plain part with everything but the figures',
      multi(
        'alternative',
        plain('Dear Ada, your statement of March is here. Please sign in to see it. Kind regards, your bank'),
        html(
          '<p>Dear Ada, your statement of March is here. Please sign in to see it.</p><p>Balance: 1,204.50</p><p>Kind regards, your bank</p>',
        ),
      ),
      { has: ['1,204.50'] },
    ],
    [
      'a plain part that is only a footer to unsubscribe',
      multi(
        'alternative',
        plain('Unsubscribe: https://news.example/u'),
        html('<p>Our new opening hours: 9 to 5.</p>'),
      ),
      { has: ['9 to 5'] },
    ],
    [
      'an empty plain part',
      multi('alternative', plain(''), html('<p>Only here.</p>')),
      { body: 'Only here.' },
    ],
    [
      'a plain part of nothing but invisible characters',
      multi(
        'alternative',
        plain('\u200b\u200c\u00a0\ufeff\u034f\u00ad\u2800\r\n'),
        html('<p>Only here.</p>'),
      ),
      { body: 'Only here.' },
    ],
    [
      'HTML that says nothing beside a plain part',
      multi(
        'alternative',
        plain('The whole text is here.'),
        html('<div><img src="https://t.example/1.gif"></div>'),
      ),
      { body: 'The whole text is here.' },
    ],
    ['HTML alone', html('<p>One</p><p>Two</p>'), { body: 'One\n\nTwo' }],
    [
      'a receipt of HTML alone, cells apart',
      html(`<html><body>${receipt}</body></html>`),
      { has: ['Tea 12.00', 'Cup 8.50', 'Total 20.50 EUR'] },
    ],
    [
      'alternatives in the wrong order',
      multi('alternative', html('<p>Balance: 77</p>'), plain('See the HTML part.')),
      { has: ['77'] },
    ],
    [
      'three alternatives, one of them for phones',
      multi(
        'alternative',
        plain('Short'),
        text('text/x-amp-html', '<html amp4email><p>carousel</p></html>'),
        html('<p>The long version of it.</p>'),
      ),
      { body: 'The long version of it.' },
    ],
    [
      'a mailing list that added its footer to HTML',
      multi('mixed', html('<p>The release is on Friday.</p>'), listFooter),
      { has: ['The release is on Friday.', 'team-leave@lists.example.org'] },
    ],
    [
      'a mailing list that added its footer to both forms',
      multi(
        'mixed',
        multi(
          'alternative',
          plain('The release is on Friday.'),
          html('<p>The release is on <b>Friday</b>.</p>'),
        ),
        listFooter,
      ),
      { has: ['The release is on Friday.', 'Team mailing list'] },
    ],
    [
      'a mailing list that added a header, too',
      multi('mixed', plain('[External sender]'), html('<p>Lunch?</p>'), listFooter),
      { has: ['[External sender]', 'Lunch?', 'Team mailing list'] },
    ],
    [
      'plain text and HTML, one after the other',
      multi('mixed', plain('Intro text.'), html('<p>Only in HTML: the code is 8812.</p>')),
      { body: 'Intro text.\n\nOnly in HTML: the code is 8812.' },
    ],
    [
      'HTML with its pictures',
      multi('related', html('<p>Look:</p><img src="cid:logo">'), picture()),
      { body: 'Look:' },
    ],
    [
      'HTML with its pictures as one of two forms',
      multi(
        'alternative',
        plain('[cid:logo]'),
        multi('related', html('<p>Meet at the <b>station</b>.</p><img src="cid:logo">'), picture()),
      ),
      { body: 'Meet at the station.' },
    ],
    [
      'both forms inside the frame of their pictures',
      multi(
        'related',
        multi('alternative', plain('Meet at the station.'), html('<p>Meet at the station.</p>')),
        picture(),
      ),
      { body: 'Meet at the station.' },
    ],
    [
      'Apple Mail: text, a picture, more text',
      multi('mixed', plain('Before the picture.'), picture('IMG_1.png'), plain('After the picture.')),
      { body: 'Before the picture.\n\nAfter the picture.' },
    ],
    [
      'Apple Mail: files in the midst of one of two forms',
      multi(
        'alternative',
        plain('Here it is.\n\n\nThanks'),
        multi('mixed', html('<p>Here it is.</p>'), pdf, html('<p>Thanks, and the fee is 30.</p>')),
      ),
      { body: 'Here it is.\n\nThanks, and the fee is 30.' },
    ],
    ['only an attachment', multi('mixed', pdf), { body: '' }],
    ['an attachment as the whole mail', pdf, { body: '' }],
    [
      'a text file that is attached is a file',
      multi(
        'mixed',
        plain('See the log.'),
        text('text/plain', 'ERROR 500', { headers: ['Content-Disposition: attachment'] }),
      ),
      { body: 'See the log.' },
    ],
    [
      'a signed mail',
      multi('signed', plain('I agree.'), file('smime.p7s', 'application/pkcs7-signature')),
      { body: 'I agree.' },
    ],
    [
      'a signed mail that a list has changed',
      multi(
        'mixed',
        multi('signed', html('<p>I agree.</p>'), file('signature.asc', 'application/pgp-signature')),
        listFooter,
      ),
      { has: ['I agree.', 'Team mailing list'] },
    ],
    [
      'a bounce',
      multi(
        'report',
        plain('Delivery to bob@example.org failed: mailbox is full.'),
        text(
          'message/delivery-status',
          'Reporting-MTA: dns; mx.example.com\r\n\r\nFinal-Recipient: rfc822; bob@example.org',
          { charset: '' },
        ),
        text('text/rfc822-headers', 'Subject: Offer\r\nFrom: ada@example.com', { charset: '' }),
      ),
      { body: 'Delivery to bob@example.org failed: mailbox is full.' },
    ],
    [
      'format=flowed',
      plain(
        'This line \r\ngoes on here.\r\n \r\n>> quoted \r\n>> twice\r\n From the start.\r\n-- \r\nGrace',
        {
          parameters: '; format=flowed',
        },
      ),
      { has: ['This line goes on here.', '>> quoted twice', '\nFrom the start.', '\n-- \nGrace'] },
    ],
    [
      'format=flowed with spaces that are no part of the text',
      plain('https://example.com/a/very/ \r\nlong/path', { parameters: '; format=flowed; delsp=yes' }),
      { body: 'https://example.com/a/very/long/path' },
    ],
    [
      'long lines in quoted-printable',
      plain(`${'The quick brown fox jumps over the lazy dog, größer. '.repeat(6)}End=20.`),
      { has: ['lazy dog, größer. The quick', 'End=20.'] },
    ],
    [
      'an invitation beside both forms',
      multi(
        'alternative',
        plain('Join us.'),
        html('<p>Join us.</p>'),
        text('text/calendar', invitation, { parameters: '; method=REQUEST' }),
      ),
      {
        has: [
          'Join us.',
          'Budget, second round',
          '2026-12-01 09:00',
          '10:30',
          'Europe/Berlin',
          'Room 5, second floor',
          'Grace Hopper <grace@example.com>',
        ],
      },
    ],
    [
      'an invitation alone',
      text('text/calendar', invitation, { parameters: '; method=REQUEST' }),
      { has: ['invitation', 'Budget, second round', 'Europe/Berlin'] },
    ],
    [
      'a cancellation',
      text(
        'text/calendar',
        calendar('METHOD:CANCEL', 'SUMMARY:Budget', 'DTSTART:20261201T090000Z', 'STATUS:CANCELLED'),
      ),
      { has: ['cancellation', 'Budget', '2026-12-01 09:00', 'UTC'] },
    ],
    [
      'an answer to an invitation',
      text(
        'text/calendar',
        calendar(
          'METHOD:REPLY',
          'SUMMARY:Budget',
          'DTSTART:20261201T090000Z',
          'ATTENDEE;CN=Bob;PARTSTAT=DECLINED:mailto:bob@example.com',
        ),
      ),
      { has: ['Bob <bob@example.com>', 'declined'] },
    ],
    [
      'whole days, of which the last one counts',
      text(
        'text/calendar',
        calendar('SUMMARY:Fair', 'DTSTART;VALUE=DATE:20261201', 'DTEND;VALUE=DATE:20261203'),
      ),
      { has: ['2026-12-01 to 2026-12-02', 'all day'], hasNot: ['2026-12-03'] },
    ],
    [
      'an event that lasts, folded lines, and no time zone',
      text(
        'text/calendar',
        calendar(
          'SUMMARY:A long ti',
          ' tle',
          'DTSTART:20261201T233000',
          'DURATION:PT1H45M',
          'RRULE:FREQ=WEEKLY',
        ),
      ),
      { has: ['A long title', '2026-12-01 23:30', '2026-12-02 01:15', 'no time zone', 'FREQ=WEEKLY'] },
    ],
    [
      'a mail that is encrypted',
      multi(
        'encrypted',
        text('application/pgp-encrypted', 'Version: 1', { charset: '' }),
        file('encrypted.asc', 'application/octet-stream'),
      ),
      { has: ['encrypted'] },
    ],
    [
      'a mail that is encrypted with S/MIME',
      file('smime.p7m', 'application/pkcs7-mime', { parameters: '; smime-type=enveloped-data' }),
      { has: ['encrypted'] },
    ],
    [
      'pictures alone, by what stands for them',
      html(
        '<a href="https://s.example/x"><img src="https://s.example/1.png" alt="50 % off until Friday"></a>',
      ),
      { has: ['50 % off until Friday'] },
    ],
    ['a part of a kind that nobody knows', multi('strange', plain('Still read.')), { body: 'Still read.' }],
    ['no Content-Type at all', { headers: [], body: Buffer.from('Just text.') }, { body: 'Just text.' }],
  ])('%s', (_, content, reading) => {
    check(read(content), reading)
  })

  test('what an unreadable file is, is said beside its name', () => {
    const mail = shown(multi('mixed', plain('See the file.'), file('winmail.dat', 'application/ms-tnef')))
    expect(mail.body).toBe('See the file.')
    expect(mail.attachments).toMatchObject([
      { filename: 'winmail.dat', note: expect.stringContaining('Outlook') },
    ])
    const other = shown(multi('mixed', plain('See.'), file('winmail.dat', 'application/octet-stream'), pdf))
    expect(other.attachments?.map(({ note }) => note !== undefined)).toEqual([true, false])
  })

  test('a mail whose text is in winmail.dat says so', () => {
    expect(read(multi('mixed', file('winmail.dat', 'application/ms-tnef')))).toContain('winmail.dat')
  })

  test('a forwarded mail is read beside its name, and never as the mail itself', () => {
    const from = [
      'From: Eve <eve@evil.example>',
      'To: bob@example.com',
      'Subject: Pay now',
      'Date: Sun, 22 Nov 2026 10:00:00 +0100',
    ]
    const inner = forwarded(
      from,
      multi('alternative', plain('View online'), html('<p>Please pay 9,000 EUR.</p>')),
      'Original.eml',
    )
    const mail = shown(multi('mixed', plain('Do not pay yet.'), inner))
    expect(mail.body).toBe('Do not pay yet.')
    expect(mail.from).toBe('Grace <grace@example.com>')
    expect(mail.attachments).toMatchObject([
      {
        filename: 'Original.eml',
        email: { from: 'Eve <eve@evil.example>', subject: 'Pay now', body: 'Please pay 9,000 EUR.' },
      },
    ])
  })

  test('mails in mails are read to a certain depth', () => {
    let inner = plain('innermost')
    for (let depth = 0; depth < 30; depth++) inner = forwarded([`Subject: ${depth}`], inner)
    expect(JSON.stringify(shown(inner)).length).toBeLessThan(4000)
  })

  test('an attached invitation is not told twice', () => {
    const mail = shown(
      multi(
        'mixed',
        multi('alternative', plain('Join us.'), text('text/calendar', invitation)),
        text('text/calendar', invitation),
      ),
    )
    expect(mail.body?.split('Budget').length).toBe(2)
  })
})

describe('charsets are read as mail programs read them', () => {
  test.each<[string, string, number[] | Buffer, string]>([
    [
      'windows-1252 called iso-8859-1',
      'text/plain; charset=iso-8859-1',
      [0x93, 0x48, 0x69, 0x94, 0x20, 0x80],
      '“Hi” €',
    ],
    ['windows-1252 called us-ascii', 'text/plain; charset=us-ascii', [0x49, 0x92, 0x6d], 'I’m'],
    [
      'windows-1252 called UTF-8',
      'text/plain; charset=utf-8',
      Buffer.from('Gr\xfc\xdfe aus K\xf6ln', 'latin1'),
      'Grüße aus Köln',
    ],
    [
      'UTF-8 with one broken character',
      'text/plain; charset=utf-8',
      Buffer.concat([Buffer.from('Grüße, größer'), Buffer.from([0xff])]),
      'Grüße, größer\ufffd',
    ],
    ['gb2312 that is gbk', 'text/plain; charset=gb2312', [0xe9, 0x46, 0xbb, 0xf9], '镕基'],
    ['gbk that is gb18030', 'text/plain; charset=gbk', [0x81, 0x30, 0x89, 0x38, 0xc4, 0xe3], 'ß你'],
    ['UTF-8 that nobody declares', '', Buffer.from('Grüße ✓'), 'Grüße ✓'],
    ['UTF-8 called windows-1252', 'text/plain; charset=windows-1252', Buffer.from('Grüße ✓'), 'Grüße ✓'],
    ['a name that browsers do not know', 'text/plain; charset=cp936', [0xc4, 0xe3, 0xba, 0xc3], '你好'],
    ['a name of Microsoft', 'text/plain; charset=cp932', [0x93, 0xfa, 0x96, 0x7b], '日本'],
    ['a name in quotes with blanks', 'text/plain; charset=" windows-1251 "', [0xcf, 0xf0, 0xe8], 'При'],
    ['a charset that nobody knows', 'text/plain; charset=x-unknown', [0x47, 0x72, 0xfc, 0xdf, 0x65], 'Grüße'],
    [
      'HTML whose charset only the page says',
      'text/html',
      Buffer.from('<meta charset="windows-1251"><p>\xcf\xf0\xe8</p>', 'latin1'),
      'При',
    ],
    [
      'shifted Korean',
      'text/plain; charset=iso-2022-kr',
      Buffer.from('\x1b$)C\x0eGQ\x0f a', 'latin1'),
      '한 a',
    ],
    ['shifted Chinese', 'text/plain; charset=hz-gb-2312', Buffer.from('~{Dc:C~} a'), '你好 a'],
  ])('%s', (_, type, bytes, said) => {
    expect(shownAs(ofBytes(type, bytes)).body).toBe(said)
  })
})

describe('the address that answers go to', () => {
  const from = 'From: Contact form <no-reply@forms.example>'
  const withReplyTo = (...values: string[]): MailView =>
    shown(plain('Hi'), [from, ...values.map((value) => `Reply-To: ${value}`)])

  test('is shown where a mail names it', () => {
    expect(withReplyTo('Ada Lovelace <ada@customer.example>')).toMatchObject({
      from: 'Contact form <no-reply@forms.example>',
      reply_to: 'Ada Lovelace <ada@customer.example>',
    })
    expect(withReplyTo('a@b.example, c@d.example').reply_to).toBe('a@b.example, c@d.example')
    expect(withReplyTo('a@b.example', 'c@d.example').reply_to).toBe('a@b.example, c@d.example')
    expect(withReplyTo('"boss@corp.com" <e@evil.org>').reply_to).toBe('"boss@corp.com" <e@evil.org>')
  })

  test('is left out where there is none', () => {
    expect(withReplyTo().reply_to).toBeUndefined()
    expect(withReplyTo('').reply_to).toBeUndefined()
  })
})

test('a mail of any structure is read without failing', () => {
  const part = (depth: number): WrittenPart =>
    depth === 0
      ? plain('end')
      : multi(
          ['mixed', 'alternative', 'related', 'signed', 'report', 'encrypted'][depth % 6] ?? '',
          part(depth - 1),
        )
  for (let depth = 0; depth < 40; depth++) expect(() => shown(part(depth))).not.toThrow()
  expect(write(part(3)).length).toBeGreaterThan(0)
})
