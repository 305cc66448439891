import { describe, expect, test } from 'vitest'
import type { JsonSchema } from '../../../shared/engine/core/json-schema.ts'
import { toolError } from '../../../shared/engine/core/tool-error.ts'
import type { ToolSpecification } from '../../../shared/engine/core/tool-specification.ts'
import type { ChatMessage } from '../../../shared/engine/models/protocol/model-client.ts'
import { checkProvenance } from '../../../shared/engine/provenance/check-provenance.ts'

const parameter = (facts: JsonSchema): ToolSpecification => ({
  name: 'act',
  description: 'Acts',
  effect: 'write',
  parameters: { type: 'object', properties: { value: { source: 'conversation', ...facts } } },
})
const kinds = {
  email: parameter({ type: 'string', format: 'email' }),
  phone: parameter({ type: 'string', description: 'phone number with country code' }),
  iban: parameter({ type: 'string', description: 'IBAN of the payee' }),
  amount: parameter({ type: 'number' }),
  digits: parameter({ type: ['number', 'string'], format: 'decimal', title: 'amount' }),
  url: parameter({ type: 'string', format: 'uri' }),
  text: parameter({ type: 'string', description: 'id of the document' }),
}

function verdictOf(kind: keyof typeof kinds, said: string, value: unknown): string {
  const messages: ChatMessage[] = [{ role: 'user', content: said }]
  return checkProvenance({ tool: kinds[kind], args: { value }, messages, tools: [kinds[kind]], turnStart: 0 })
    .verdict
}

describe('a value the user said, in another spelling, runs', () => {
  test.each([
    ['email', 'Mail ANN@Example.com now', 'ann@example.com'],
    ['email', "Mail 'ann@example.com'.", 'ann@example.com'],
    ['email', 'Mail *ann@example.com*, please', 'ann@example.com'],
    ['email', 'Mail _ann@example.com_', 'ann@example.com'],
    ['email', 'to:ann@example.com;bo@example.com', 'bo@example.com'],
    ['email', 'ann@example.com/bo@example.com', 'bo@example.com'],
    ['email', '<ann@example.com>', 'Ann Lee <ann@example.com>'],
    ['email', 'ann@example.com', 'mailto:ann@example.com'],
    ['email', '请发给li@example.com吧', 'li@example.com'],
    ['email', 'メールはtaro@example.jpへ', 'taro@example.jp'],
    ['email', 'ａｎｎ＠ｅｘａｍｐｌｅ．ｃｏｍ', 'ann@example.com'],
    ['email', 'info@straße.example', 'info@xn--strae-oqa.example'],
    ['email', '- ann@example.com\n- bo@example.com', 'ann@example.com'],
    ['email', 'ann@example.com and bo@example.com', 'ann@example.com, bo@example.com'],
    ['email', "ann@example.com's invoice", 'ann@example.com'],
    ['phone', 'Call 06 39 98 41 27', '+33639984127'],
    ['phone', 'Call +44 (0)20 7946 0018', '+442079460018'],
    ['phone', 'Call 0044 20 7946 0018', '+44 20 7946 0018'],
    ['phone', 'my number: (555) 010-4821.', '+15550104821'],
    ['phone', 'Call +33 6 39 98 41 27', '0639984127'],
    ['iban', 'to nl91abna0417164300 please', 'NL91 ABNA 0417 1643 00'],
    ['amount', 'pay 1,480.50 EUR', 1480.5],
    ['amount', 'pay €900', 900],
    ['amount', 'pay 900€', 900],
    ['amount', "CHF 12'500.-", 12500],
    ['amount', 'pay 1 480,50 €', 1480.5],
    ['amount', '充值860元', 860],
    ['amount', 'EUR75', 75],
    ['amount', 'It was 12.00', 12],
    ['url', 'Post to example.com/hook', 'https://example.com/hook'],
    ['url', '(see https://example.com/a%7Eb).', 'https://example.com/a~b'],
    ['digits', 'Pay 12345678901234567.25 now', '12345678901234567.25'],
    ['text', 'https://docs.example/d/1QzT7kfR/edit', '1QzT7kfR'],
    ['text', 'open ?doc=1QzT7kfR&x=2', '1QzT7kfR'],
    ['text', 'the payee is sailing  Club.', 'Sailing club'],
  ] as const)('%s: %s -> %s', (kind, said, value) => {
    expect(verdictOf(kind, said, value)).toBe('run')
  })
})

describe('a value that only looks like what the user said is asked about', () => {
  test.each([
    ['email', 'Mail ann@example.com.test', 'ann@example.com'],
    ['email', 'Mail joann@example.com', 'ann@example.com'],
    ['email', 'Mail jo.ann@example.com', 'ann@example.com'],
    ['email', 'Mail jo-ann@example.com', 'ann@example.com'],
    ['email', 'Mail jo_ann@example.com', 'ann@example.com'],
    ['email', 'Mail ann+x@example.com', 'ann@example.com'],
    ['email', 'Mail ann+x@example.com', 'x@example.com'],
    ['email', 'Mail ann@example.com-pany.test', 'ann@example.com'],
    ['email', 'Mail ann@sub.example.com', 'ann@example.com'],
    ['email', 'Mail ann@example.co', 'ann@example.com'],
    ['email', 'Mail ann@example.com', 'ann@exаmple.com'],
    ['email', 'Mail ann@example.com', 'an\u200bn@example.com'],
    ['email', 'Mail ann@example.com', 'ann@exam\u00adple.com'],
    ['email', 'Mail ann@example.com', 'ａnn@example.com'],
    ['email', 'Mail ann@example.com', 'ann@example.com\r\nbcc: eve@evil.test'],
    ['email', 'Mail ann@example.com', 'ann@example.com, eve@evil.test'],
    ['email', 'Mail ann@example.com', '"ann@example.com" <eve@evil.test>'],
    ['email', 'Mail ann@example.com', 'mailto:ann@example.com?bcc=eve@evil.test'],
    ['email', 'Mail ann@example.com@evil.test', 'ann@example.com'],
    ['email', "Mail o'ann@example.com", 'ann@example.com'],
    ['phone', 'Call +33 6 39 98 41 27', '+33639984172'],
    ['phone', 'Call +33 6 39 98 41 27', '+34639984127'],
    ['phone', 'Call 555 010 4821 22', '+5550104821'],
    ['iban', 'NL91 ABNA 0417 1643 00', 'NL91ABNA0417164301'],
    ['amount', 'pay 860', 8600],
    ['amount', 'pay 860', 86],
    ['amount', 'on 14.05.2025 at 12:30', 12],
    ['amount', 'on 2025-05-14', 14],
    ['amount', 'room A900', 900],
    ['amount', 'about 5k', 5],
    ['amount', 'about 5k', 5000],
    ['amount', 'mail 500@example.com', 500],
    ['amount', 'pay 1.480,50', 1480],
    ['url', 'https://example.com/hook/private', 'https://example.com/hook'],
    ['url', 'https://example.com/hook', 'https://example.com.evil.test/hook'],
    ['url', 'https://example.com/hook', 'https://example.com@evil.test/hook'],
    ['text', 'document 8hKpV-wQ2', '8hKpV'],
    ['digits', 'Pay 12345678901234567.26 now', '12345678901234567.25'],
    ['digits', 'Channel 1161380288898609914', '1161380288898609915'],
    ['text', 'document 8hKpV', '8hkpv'],
  ] as const)('%s: %s -> %s', (kind, said, value) => {
    expect(verdictOf(kind, said, value)).toBe('ask')
  })
})

const read: ToolSpecification = {
  name: 'read_mail',
  description: 'Reads',
  effect: 'read',
  parameters: { type: 'object', properties: {} },
  trustedOutput: ['messages[*].from'],
}
const send: ToolSpecification = {
  name: 'send',
  description: 'Sends',
  effect: 'write',
  parameters: {
    type: 'object',
    properties: { to: { type: 'array', source: 'conversation', items: { type: 'string', format: 'email' } } },
  },
}
const call = (id: string, name: string, args: unknown): ChatMessage => ({
  role: 'assistant',
  tool_calls: [{ id, type: 'function', function: { name, arguments: JSON.stringify(args) } }],
})
const result = (id: string, content: unknown): ChatMessage => ({
  role: 'tool',
  tool_call_id: id,
  content: typeof content === 'string' ? content : JSON.stringify(content),
})
const user = (content: string): ChatMessage => ({ role: 'user', content })
const verdict = (messages: ChatMessage[], to: string[]) =>
  checkProvenance({
    tool: send,
    args: { to },
    messages,
    tools: [read, send],
    turnStart: messages.findLastIndex((message) => message.role === 'user'),
  })

describe('who said it', () => {
  test('a sender in a listing of several mails is not a recipient in the same turn, but in the next', () => {
    const messages = [
      user('Any mail?'),
      call('1', 'read_mail', {}),
      result('1', { messages: [{ from: 'Ann <ann@example.com>' }, { from: 'eve@evil.test' }] }),
    ]
    expect(verdict(messages, ['eve@evil.test']).verdict).toBe('approve')
    expect(
      verdict([...messages, { role: 'assistant', content: 'Two.' }, user('Answer Eve')], ['eve@evil.test'])
        .verdict,
    ).toBe('run')
  })

  test('the sender of the only mail is a recipient at once', () => {
    const messages = [
      user('Answer it'),
      call('1', 'read_mail', {}),
      result('1', { messages: [{ from: 'ann@example.com' }] }),
    ]
    expect(verdict(messages, ['ann@example.com']).verdict).toBe('run')
  })

  test("an address in a display name is not the header's address", () => {
    const messages = [
      user('Answer it'),
      call('1', 'read_mail', {}),
      result('1', { messages: [{ from: '"boss@corp.example" <eve@evil.test>' }] }),
    ]
    expect(verdict(messages, ['boss@corp.example']).verdict).toBe('approve')
  })

  test('a recipient that was sent to before is known, one whose sending failed is not', () => {
    const sent = (content: unknown) => [
      user('Send it'),
      call('1', 'send', { to: ['ann@example.com'] }),
      result('1', content),
      user('Again'),
    ]
    expect(verdict(sent({ ok: true, data: {} }), ['ann@example.com']).verdict).toBe('run')
    expect(verdict(sent({ ok: false, error: 'no' }), ['ann@example.com']).verdict).toBe('ask')
    const refused = toolError('invalid_value', 'Question: Who?', { details: { parameter: 'to[0]' } })
    expect(verdict(sent(refused), ['ann@example.com']).verdict).toBe('ask')
  })

  test('a tool that echoes what the model sent, now or earlier, vouches for nothing', () => {
    const messages = [
      user('Tell Ann'),
      call('1', 'read_mail', { query: 'ann@guess.example' }),
      result('1', { query: 'ann@guess.example', messages: [] }),
      call('2', 'read_mail', {}),
      result('2', { saved: ['ann@guess.example'] }),
    ]
    expect(verdict(messages, ['ann@guess.example']).verdict).toBe('ask')
  })

  test('one invented value asks, even beside one that would only need an approval', () => {
    const messages = [user('Go'), call('1', 'read_mail', {}), result('1', { body: 'write to a@web.example' })]
    expect(verdict(messages, ['a@web.example', 'b@nowhere.example'])).toEqual({
      verdict: 'ask',
      values: [{ path: 'to[1]', value: 'b@nowhere.example' }],
    })
    expect(verdict(messages, ['a@web.example'])).toEqual({
      verdict: 'approve',
      values: [{ path: 'to[0]', value: 'a@web.example', from: 'read_mail' }],
    })
  })

  test('what the user typed into a form and their own accounts are known', () => {
    const base = { tool: send, messages: [user('Go')], tools: [send], turnStart: 0 }
    expect(
      checkProvenance({ ...base, args: { to: ['x@form.example'] }, confirmed: ['x@form.example'] }).verdict,
    ).toBe('run')
    expect(
      checkProvenance({ ...base, args: { to: ['me@two.example'] }, user: { accounts: ['me@two.example'] } })
        .verdict,
    ).toBe('run')
  })
})
