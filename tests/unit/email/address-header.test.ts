import { expect, test } from 'vitest'
import { readAddressHeader, readSender } from '../../../shared/integrations/email/address-header.ts'

test.each([
  ['ada@example.com', 'ada@example.com'],
  ['Ada Lovelace <ada@example.com>', 'Ada Lovelace <ada@example.com>'],
  ['"Lovelace, Ada" <ada@example.com>', '"Lovelace, Ada" <ada@example.com>'],
  ['Lovelace, Ada <ada@example.com>', '"Lovelace, Ada" <ada@example.com>'],
  ['Boss <boss@corp.com> <eve@evil.org>', '"Boss boss@corp.com" <eve@evil.org>'],
  ['"boss@corp.com" <eve@evil.org>', '"boss@corp.com" <eve@evil.org>'],
  ['boss@corp.com, eve@evil.org', 'boss@corp.com, eve@evil.org'],
  ['boss@corp.com, Eve <eve@evil.org>', 'boss@corp.com, Eve <eve@evil.org>'],
  ['Ada\u2028Bcc: x <ada@example.com>', '"Ada Bcc: x" <ada@example.com>'],
  ['nobody', ''],
  ['<>', ''],
  ['', ''],
])('the sender of %j is %j', (header, shown) => {
  expect(readSender(header)).toBe(shown)
})

test('recipients are listed', () => {
  expect(readAddressHeader('Ada <a@x.com>, Team: b@x.com, "C, D" <c@x.com>;')).toBe(
    'Ada <a@x.com>, b@x.com, "C, D" <c@x.com>',
  )
})

test('a header that was made to be long costs little', () => {
  const started = performance.now()
  readAddressHeader('"a" <a@x.com>,'.repeat(100_000))
  readSender(`${'<'.repeat(500_000)}a@x.com>`)
  expect(readAddressHeader('a@x.com,'.repeat(5000)).split(', ')).toHaveLength(100)
  expect(performance.now() - started).toBeLessThan(5000)
})
