import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { asciiDomain, readEmailAddress } from '../../../shared/engine/schema/email-format.ts'
import { readMailbox } from '../../../shared/integrations/email/mailbox.ts'

const read = (text: string) => {
  const reading = readEmailAddress(text)
  return reading.ok ? reading.address : undefined
}
const faultOf = (text: string) => {
  const reading = readEmailAddress(text)
  return reading.ok ? undefined : reading.fault
}

describe('readEmailAddress', () => {
  it.each([
    ['ada@example.com', 'ada@example.com'],
    ['ADA@EXAMPLE.COM', 'ADA@example.com'],
    ["o'hara+news_{x}@mail.example.co.uk", "o'hara+news_{x}@mail.example.co.uk"],
    ['ada@exämple.de', 'ada@xn--exmple-cua.de'],
    ['ada@EXÄMPLE.de', 'ada@xn--exmple-cua.de'],
    ['ada@exa\u0308mple.de', 'ada@xn--exmple-cua.de'],
    ['ada@例え.テスト', 'ada@xn--r8jz45g.xn--zckzah'],
    ['jörg@example.com', 'jörg@example.com'],
    ['"ada lovelace"@example.com', '"ada lovelace"@example.com'],
    ['"  jörg "@example.com', '"  jörg "@example.com'],
    [`${'a'.repeat(64)}@example.com`, `${'a'.repeat(64)}@example.com`],
  ])('takes %j', (text, address) => {
    expect(read(text)).toBe(address)
  })

  it.each([
    ['ada', 'it has no @'],
    ['', 'it has no @'],
    ['@example.com', 'nothing stands before the @'],
    ['ada@', 'what follows the @ is not a domain name'],
    ['ada@example', 'what follows the @ is not a domain name'],
    ['ada@example.com.', 'what follows the @ is not a domain name'],
    ['ada@.example.com', 'what follows the @ is not a domain name'],
    ['ada@exa_mple.com', 'what follows the @ is not a domain name'],
    ['ada@-example.com', 'what follows the @ is not a domain name'],
    ['ada@192.168.0.1', 'what follows the @ is not a domain name'],
    ['ada@[127.0.0.1]', 'what follows the @ is not a domain name'],
    ['ada@xn--a.com', 'what follows the @ is not a domain name'],
    ['ada@ｅxample.com', 'what follows the @ is not a domain name'],
    ['ada@exa\u00admple.com', 'it contains a line break or an invisible character'],
    ['ada@example.com\r\nBcc: evil@example.org', 'it contains a line break or an invisible character'],
    ['ada\0@example.com', 'it contains a line break or an invisible character'],
    ['ａda@example.com', 'it contains characters that only look like plain letters'],
    ['a@example.com,b@example.com', 'it looks like several addresses; each needs its own entry'],
    ['a@example.com;b@example.com', 'it looks like several addresses; each needs its own entry'],
    ['Ada <ada@example.com>', 'only the bare address is expected, without a name or comment'],
    ['ada(work)@example.com', 'only the bare address is expected, without a name or comment'],
    ['a@b@example.com', 'it contains more than one @'],
    ['ada lovelace@example.com', 'it contains a blank'],
    [' ada@example.com', 'it contains a blank'],
    ['ada..l@example.com', 'the part before the @ has a dot at its start or end, or two dots in a row'],
    ['ada"x@example.com', 'the part before the @ contains a character that is not allowed there'],
    [`${'a'.repeat(65)}@example.com`, 'the part before the @ is longer than 64 octets'],
    [`ada@${'a'.repeat(64)}.com`, 'what follows the @ is not a domain name'],
    [`${'a'.repeat(64)}@${'abc.'.repeat(60)}com`, 'it is longer than 254 octets'],
  ])('refuses %j', (text, fault) => {
    expect(faultOf(text)).toBe(fault)
  })

  it('is whole and stable: what it gives back it takes again, unchanged', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), (local, domain) => {
        const address = read(`${local}@${domain}.example`)
        if (address === undefined) return
        expect(read(address)).toBe(address)
        expect(address).not.toMatch(/[\r\n\0,;<>]/)
      }),
      { numRuns: 2000 },
    )
  })
})

describe('asciiDomain', () => {
  it('folds case and nothing else', () => {
    expect(asciiDomain('Example.COM')).toBe('example.com')
    expect(asciiDomain('straße.de')).toBe('xn--strae-oqa.de')
    expect(asciiDomain('ex\u200dample.com')).toBeUndefined()
    expect(asciiDomain('localhost')).toBeUndefined()
  })
})

describe('readMailbox', () => {
  it.each([
    ['ada@example.com', { name: '', address: 'ada@example.com' }],
    ['Ada Lovelace <ada@example.com>', { name: 'Ada Lovelace', address: 'ada@example.com' }],
    ['"Lovelace, \\"Ada\\"" <ada@exämple.de>', { name: 'Lovelace, "Ada"', address: 'ada@xn--exmple-cua.de' }],
  ])('reads %j', (text, mailbox) => {
    expect(readMailbox(text)).toEqual({ ok: true, mailbox })
  })

  it('refuses a name that would start another header', () => {
    expect(readMailbox('Ada\r\nBcc: evil@example.org <ada@example.com>')).toMatchObject({ ok: false })
    expect(readMailbox('Ada <ada@example.com>, Eve <eve@example.com>')).toMatchObject({ ok: false })
  })
})
