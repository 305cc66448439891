import { describe, expect, test } from 'vitest'
import type { ToolSpecification } from '../../../shared/engine/core/tool-specification.ts'
import {
  coversAddress,
  patternFor,
  publicDomainOf,
  readPattern,
  recipientParameter,
  recipientsOf,
} from '../../../shared/engine/provenance/recipients.ts'
import { servers } from '../../../supabase/functions/smtp-api/presets.ts'
import { shippedTools } from '../../../support/shipped-tools.ts'

const shipped = new Map(shippedTools().map(({ specification }) => [specification.name, specification]))
const mail = shipped.get('smtp_send_email') as ToolSpecification
const share = shipped.get('docs_share') as ToolSpecification
const text = { subject: 'Lunch', body: 'At noon?' }

/** Whether a permission with this pattern covers a mail to this address. */
function covers(pattern: string, to: string): boolean {
  const read = readPattern(pattern)
  const recipients = recipientsOf(mail, { to: [to], ...text })
  if (read === undefined) return false
  return recipients?.addresses.every((one) => coversAddress(read, one)) ?? false
}

describe('recipients of a call', () => {
  test('are those of to, cc and bcc together, folded, each once', () => {
    const args = { to: ['Ada@Example.com'], cc: ['ada@example.com'], bcc: ['bob@MÜNCHEN.de'], ...text }
    expect(recipientsOf(mail, args)).toEqual({
      path: 'to',
      addresses: ['ada@example.com', 'bob@xn--mnchen-3ya.de'],
    })
  })

  test('are the people of a shared document', () => {
    const args = { document_id: '1', emails: ['ada@example.com'], role: 'reader' }
    expect(recipientsOf(share, args)).toEqual({ path: 'emails', addresses: ['ada@example.com'] })
  })

  test('are not known where replies go to somebody else', () => {
    const args = { to: ['ada@example.com'], reply_to: 'eve@evil.example', ...text }
    expect(recipientsOf(mail, args)).toBeUndefined()
  })

  test.each([
    'ada@acme.com, eve@evil.example',
    'ada@acme.com; eve@evil.example',
    'ada@acme.com eve@evil.example',
    'ada@acme.com\neve@evil.example',
    'ada@acme.com <eve@evil.example>',
    '"ada@acme.com" <eve@evil.example>',
    '<ada@acme.com>',
    '"ada"@acme.com',
    '*@acme.com',
    'a*@acme.com',
    'ada@acme.com.',
    'ada@acme..com',
    'ada@acme',
    'ada@[127.0.0.1]',
    'ada@acme.com\u200b',
    'ada@ａcme.com',
    'ada@acme。com',
    'ada@xn--zzzzzzz9999.com',
    '',
  ])('are not known for %j', (to) => {
    expect(covers('*@acme.com', to)).toBe(false)
    expect(recipientsOf(mail, { to: [to], ...text })).toBeUndefined()
  })
})

describe('a pattern', () => {
  test.each([
    ['*@acme.com', 'ada@acme.com'],
    ['*@ACME.com', 'Ada@acme.COM'],
    ['*@acme.com', 'ada+news@acme.com'],
    ['ada@example.com', 'ADA@example.com'],
    ['*@münchen.de', 'bob@xn--mnchen-3ya.de'],
    ['a%_b@acme.com', 'a%_b@acme.com'],
  ])('%s covers %s', (pattern, to) => {
    expect(covers(pattern, to)).toBe(true)
  })

  test.each([
    ['*@acme.com', 'ada@sub.acme.com'],
    ['*@acme.com', 'ada@acme.com.evil.example'],
    ['*@acme.com', 'ada@notacme.com'],
    ['*@acme.com', 'ada@acme.co'],
    ['*@acme.com', 'ada@аcme.com'],
    ['*@acme.com', 'acme.com@evil.example'],
    ['ada@example.com', 'ada+x@example.com'],
    ['ada@example.com', 'bada@example.com'],
    ['a_a@example.com', 'aba@example.com'],
    ['%@example.com', 'ada@example.com'],
  ])('%s does not cover %s', (pattern, to) => {
    expect(covers(pattern, to)).toBe(false)
  })

  test.each([
    '*',
    '*@',
    '*@com',
    '@acme.com',
    'a*@acme.com',
    '*@*.acme.com',
    '*@acme.com, *@evil.example',
    '**@acme.com',
    '*@ acme.com',
    '%',
    '',
  ])('%j is none', (pattern) => {
    expect(readPattern(pattern)).toBeUndefined()
  })

  test('is suggested as narrow as it can be', () => {
    expect(patternFor(['ada@acme.com'])).toBe('ada@acme.com')
    expect(patternFor(['ada@acme.com', 'bob@acme.com'])).toBe('*@acme.com')
    expect(patternFor(['ada@acme.com', 'bob@example.com'])).toBeUndefined()
    expect(patternFor([])).toBeUndefined()
  })

  test('is never suggested for everybody at a domain where everybody can be', () => {
    expect(patternFor(['ada@gmail.com'])).toBe('ada@gmail.com')
    expect(patternFor(['ada@gmail.com', 'bob@gmail.com'])).toBeUndefined()
    expect(publicDomainOf('*@GMail.com')).toBe('gmail.com')
    expect(publicDomainOf('ada@gmail.com')).toBeUndefined()
    expect(publicDomainOf('*@acme.com')).toBeUndefined()
  })

  test('covers nobody knows whom at any mail provider whose server is known', () => {
    const domains = servers.flatMap(({ domains }) => domains)
    expect(domains.length).toBeGreaterThan(20)
    expect(domains.filter((domain) => !publicDomainOf(`*@${domain}`))).toEqual([])
  })
})

test('the parameter of the recipients is found in the schema of a tool', () => {
  expect(recipientParameter(mail)).toBe('to')
  expect(recipientParameter(share)).toBe('emails')
  const two = {
    type: 'object',
    properties: { iban: { source: 'conversation' }, amount: { source: 'conversation' } },
  }
  expect(recipientParameter({ parameters: two as never })).toBeUndefined()
  expect(recipientParameter({ parameters: { type: 'object' } })).toBeUndefined()
})
