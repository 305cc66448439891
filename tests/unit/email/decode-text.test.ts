import { expect, test } from 'vitest'
import { decodeHeader, decodeText } from '../../../shared/integrations/email/decode-text.ts'

const bytes = (...values: number[]) => Uint8Array.from(values)
const utf8 = (text: string) => new TextEncoder().encode(text)

test.each([
  ['UTF-8 that says so', utf8('Grüße'), 'utf-8', 'Grüße'],
  ['UTF-8 that Gmail made of another charset', utf8('水野様'), 'iso-2022-jp', '水野様'],
  ['UTF-8 that says it is Latin 1', utf8('Grüße'), 'iso-8859-1', 'Grüße'],
  ['Latin 1', bytes(0x47, 0xfc), 'iso-8859-1', 'Gü'],
  ['Latin 1 that says nothing', bytes(0x47, 0xfc), undefined, 'Gü'],
  ['Windows-1252 that says it is UTF-8', bytes(0x93, 0x61, 0x94), 'utf-8', '“a”'],
  ['UTF-8 of which a part is broken', bytes(0xc3, 0xbc, 0xc3, 0xbc, 0xff), 'utf-8', 'üü\ufffd'],
  ['ISO-2022-JP', utf8('\u001b$B?eLn\u001b(B'), 'ISO-2022-JP', '水野'],
  ['UTF-16', bytes(0x41, 0, 0x42, 0), 'utf-16le', 'AB'],
  ['Big5', bytes(0xa7, 0x41, 0xa6, 0x6e), 'big5', '你好'],
  ['EUC-KR', bytes(0xbe, 0xc8, 0xb3, 0xe7), 'euc-kr', '안녕'],
  ['a charset that nobody knows', bytes(0x61, 0xfc), 'x-martian', 'aü'],
  ['nothing', bytes(), 'utf-8', ''],
])('%s is read', (_, given, charset, text) => {
  expect(decodeText(given, charset)).toBe(text)
})

test.each([
  ['=?utf-8?Q?Pr=C3=BCfung?=', 'Prüfung'],
  ['=?iso-2022-jp?B?GyRCP2VMbhsoQg==?=', '水野'],
  ['=?utf-8?B?R3LDvA==?= =?utf-8?B?w59l?=', 'Grüße'],
  ['Prüfung as it is', 'Prüfung as it is'],
  ['=?utf-8?Q?Hello=0D=0ABcc:_evil@example.org?=', 'Hello Bcc: evil@example.org'],
])('the header %j says %j', (header, text) => {
  expect(decodeHeader(header)).toBe(text)
})
