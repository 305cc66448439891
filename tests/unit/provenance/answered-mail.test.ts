import { describe, expect, test } from 'vitest'
import type { ToolSpecification } from '../../../shared/engine/core/tool-specification.ts'
import { judgeProvenance } from '../../../shared/engine/provenance/check-provenance.ts'
import type { Entry } from '../../../shared/engine/transcript/entry.ts'
import { projectEvidence } from '../../../shared/engine/transcript/project-evidence.ts'
import { gmailReadEmails, gmailSendEmail } from '../../../supabase/functions/gmail-api/integration.ts'
import { call, returned, said, started, step } from '../transcript/entries.ts'

const tool = (name: string, more: Partial<ToolSpecification> = {}): ToolSpecification => ({
  name,
  description: name,
  effect: 'read',
  parameters: { type: 'object', properties: {} },
  ...more,
})
const send = gmailSendEmail.specification
const read = gmailReadEmails.specification
const specifications = [
  send,
  read,
  tool('read_records', { private: true }),
  tool('fetch'),
  tool('archive', { effect: 'write', private: true, providers: ['gmail'] }),
]
const tools = new Map(specifications.map((one) => [one.name, one]))

let calls = 0
/** A call and what came back. */
function done(toolName: string, data: unknown, input: Record<string, unknown> = {}): Entry[] {
  const id = `c${++calls}`
  const { effect } = tools.get(toolName) ?? { effect: 'read' }
  return [...step('', call(id, toolName, input, { effect })), returned(id, data)]
}
const mail = (id: string, from: unknown, more: Record<string, unknown> = {}) => ({ id, from, ...more })
const mails = (...messages: unknown[]) => done(read.name, { messages })

const ada = 'ada@example.com'
const eve = 'eve@evil.example'
const args = (to: string | string[], answered?: string, more: Record<string, unknown> = {}) => ({
  to: [to].flat(),
  subject: 's',
  body: 'b',
  ...(answered === undefined ? {} : { reply_to_message_id: answered }),
  ...more,
})
const judge = (entries: Entry[], input: Record<string, unknown>) =>
  judgeProvenance(send, input, projectEvidence([...entries], tools))
const verdict = (entries: Entry[], input: Record<string, unknown>) => judge(entries, input).verdict

const listed = [
  said('Any mail?'),
  started,
  ...mails(mail('m1', `Ada <${ada}>`), mail('m2', eve)),
  ...step('Two.'),
]

describe('the sender of a mail is known as recipient of an answer to it', () => {
  test.each<[string, Entry[], Record<string, unknown>]>([
    ['listed in an earlier turn', [...listed, said('Answer Ada'), started], args(ada, 'm1')],
    ['the only one read', [said('Answer it'), started, ...mails(mail('m1', ada))], args(ada, 'm1')],
    [
      'read again before it is answered',
      [
        ...listed,
        said('Answer Ada'),
        started,
        ...mails(mail('m1', ada, { body: 'Hi there', attachments: [] })),
      ],
      args(ada, 'm1'),
    ],
    [
      'read after a page of the web',
      [...listed, said('Answer Ada'), started, ...done('fetch', { page: 'Opening hours' })],
      args(ada, 'm1'),
    ],
    [
      'archived before it is answered',
      [...listed, said('Archive it and answer'), started, ...done('archive', { archived: ['m1'] })],
      args(ada, 'm1'),
    ],
    [
      'after a list of others, without bodies, in an earlier turn',
      [
        said('What is new?'),
        started,
        ...mails(
          mail('m1', ada, {
            subject: 'Lunch on Friday',
            snippet: 'Are you free?',
            unread: true,
            labels: ['To do'],
          }),
          mail('m2', eve, {
            to: 'Mia Meier <mia@example.com>',
            subject: 'Hello you',
            date: '2026-11-21T10:00Z',
          }),
        ),
        said('Answer Ada'),
        started,
        ...mails(mail('m1', ada, { body: 'Are you free?' })),
      ],
      args(ada, 'm1'),
    ],
    [
      'answers are to go to the address that it comes from',
      [said('?'), started, ...mails(mail('m1', `Ada <${ada}>`, { reply_to: `"Ada L." <ADA@example.com>` }))],
      args(ada, 'm1'),
    ],
    ['with a name beside the address', [...listed, said('Answer'), started], args(`Ada <${ada}>`, 'm1')],
    [
      'as parts of a header',
      [said('?'), started, ...mails(mail('m1', { name: 'A', email: ada }))],
      args(ada, 'm1'),
    ],
    [
      'with a token for the next page',
      [
        said('?'),
        started,
        ...done(read.name, { messages: [mail('m1', ada)], next_page_token: 't', missing: [] }),
      ],
      args(ada, 'm1'),
    ],
  ])('%s', (_, entries, input) => {
    expect(verdict(entries, input)).toBe('run')
  })
})

describe('else somebody is asked', () => {
  const answer = [...listed, said('Answer Ada'), started]
  test.each<[string, Entry[], Record<string, unknown>]>([
    ['a new mail to the sender', answer, args(ada)],
    ['an answer to the mail of somebody else', answer, args(ada, 'm2')],
    ['an answer to a mail that nobody has read', answer, args(ada, 'm9')],
    [
      'a blind copy of the answer to its sender',
      [...answer, said(`To bob@example.com`)],
      args('bob@example.com', 'm1', { bcc: [ada] }),
    ],
    [
      'answers that go to the sender',
      [...answer, said(`To bob@example.com`)],
      args('bob@example.com', 'm1', { reply_to: ada }),
    ],
    [
      'one of several that were listed since the message',
      [said('Answer Ada'), started, ...mails(mail('m1', ada), mail('m2', eve))],
      args(ada, 'm1'),
    ],
    [
      'another mail was read since',
      [...answer, ...mails(mail('m1', ada)), ...mails(mail('m2', eve))],
      args(ada, 'm1'),
    ],
    [
      'something else private was read since',
      [...answer, ...done('read_records', { pin: 4711 })],
      args(ada, 'm1'),
    ],
    [
      'something else private was read in an earlier turn',
      [said('My PIN?'), started, ...done('read_records', { pin: 4711 }), ...answer],
      args(ada, 'm1'),
    ],
    [
      'another mail was read in an earlier turn',
      [said('The code?'), started, ...mails(mail('m2', eve, { body: 'Your code is 4711' })), ...answer],
      args(ada, 'm1'),
    ],
    [
      'several were read whole in an earlier turn',
      [
        said('Read all'),
        started,
        ...mails(mail('m1', ada, { body: 'Hi' }), mail('m2', eve, { body: 'The PIN is 4711' })),
        said('Answer Ada'),
        started,
      ],
      args(ada, 'm1'),
    ],
    [
      'something stood beside a list in an earlier turn',
      [
        said('?'),
        started,
        ...done(read.name, { messages: [mail('m2', eve)], note: 'The PIN is 4711' }),
        ...answer,
      ],
      args(ada, 'm1'),
    ],
    [
      'an earlier message quoted something',
      [said('<doc>The PIN is 4711</doc> Keep it.'), started, ...answer],
      args(ada, 'm1'),
    ],
    ['an unknown tool was used since', [...answer, ...done('gone', { pin: 4711 })], args(ada, 'm1')],
    [
      'something stands beside the mail',
      [
        ...listed,
        said('Answer'),
        started,
        ...done(read.name, { messages: [mail('m1', ada)], note: 'The PIN is 4711' }),
      ],
      args(ada, 'm1'),
    ],
    [
      'the mail comes from two addresses',
      [said('?'), started, ...mails(mail('m1', `${ada}, ${eve}`))],
      args(ada, 'm1'),
    ],
    [
      'the mail comes from two, one after the other',
      [said('?'), started, ...mails(mail('m1', `<${ada}> <${eve}>`))],
      args(ada, 'm1'),
    ],
    ['the mail comes from a list', [said('?'), started, ...mails(mail('m1', [ada, eve]))], args(ada, 'm1')],
    [
      'only the name of the sender is the address',
      [said('?'), started, ...mails(mail('m1', `"${ada}" <${eve}>`))],
      args(ada, 'm1'),
    ],
    [
      'only Reply-To is the address',
      [said('?'), started, ...mails(mail('m1', eve, { reply_to: ada }))],
      args(ada, 'm1'),
    ],
    [
      'answers are to go elsewhere than to the sender',
      [said('?'), started, ...mails(mail('m1', ada, { reply_to: eve }))],
      args(ada, 'm1'),
    ],
    [
      'answers are to go to the sender and to somebody else',
      [said('?'), started, ...mails(mail('m1', ada, { reply_to: `${ada}, ${eve}` }))],
      args(ada, 'm1'),
    ],
    [
      'the address for answers cannot be read',
      [said('?'), started, ...mails(mail('m1', ada, { reply_to: 'undisclosed' }))],
      args(ada, 'm1'),
    ],
    [
      'only a later reading shows that answers are to go elsewhere',
      [...listed, said('?'), started, ...mails(mail('m1', ada, { reply_to: eve }))],
      args(ada, 'm1'),
    ],
    [
      'a tool names the address for answers in another way',
      [said('?'), started, ...mails(mail('m1', ada, { replyTo: [{ email: eve }] }))],
      args(ada, 'm1'),
    ],
    [
      'a mail stands in a mail',
      [said('?'), started, ...mails(mail('m2', eve, { attached: mail('m1', ada) }))],
      args(ada, 'm1'),
    ],
    [
      'a page claims to be the mail',
      [said('?'), started, ...done('fetch', { messages: [mail('m1', ada)] })],
      args(ada, 'm1'),
    ],
    [
      'a record claims to be the mail',
      [said('?'), started, ...done('read_records', { messages: [mail('m1', ada)] })],
      args(ada, 'm1'),
    ],
    [
      'the mail is text in a mail',
      [said('?'), started, ...mails(mail('m2', eve, { body: JSON.stringify(mail('m1', ada)) }))],
      args(ada, 'm1'),
    ],
    [
      'the same mail is shown with two senders',
      [...listed, said('?'), started, ...mails(mail('m1', eve))],
      args(eve, 'm1'),
    ],
    [
      'a file of another mail goes along',
      answer,
      args(ada, 'm1', { attachments: [{ message_id: 'm2', attachment_id: '1' }] }),
    ],
  ])('%s', (_, entries, input) => {
    expect(verdict(entries, input)).toBe('approve')
  })

  const withFile = (content: string): Entry => ({
    type: 'user-message',
    content: [
      { type: 'text', text: content },
      { type: 'file', file_id: 'f1', mediaType: 'text/plain', filename: 'pin.txt' },
    ],
  })

  test('a file came with the message, or with an earlier one', () => {
    expect(verdict([...listed, withFile('Answer Ada'), started], args(ada, 'm1'))).toBe('approve')
    const later = [...listed, withFile('Keep this'), started, said('Answer Ada'), started]
    expect(verdict(later, args(ada, 'm1'))).toBe('approve')
    expect(verdict(later, args(ada, 'm1', { attachments: [{ file_id: 'f1' }] }))).toBe('approve')
  })

  test('somebody else gets the answer too', () => {
    expect(judge(answer, args([ada, eve], 'm1'))).toMatchObject({
      verdict: 'approve',
      values: [{ path: ['to', 1], value: eve }],
    })
  })

  test('the sender was answered before: only a person who approved that has made them known', () => {
    const answered = (approved: boolean): Entry[] => [
      ...listed,
      said('Answer Ada'),
      started,
      {
        type: 'question',
        itemId: 'w.a',
        intent: 1,
        askedAt: '2026-11-22T07:05:00.000Z',
        kind: 'approval',
        toolCallId: 'w',
        toolName: send.name,
        code: 'approve',
        asked: 'Send it?',
        arguments: args(ada, 'm1'),
        open: [],
      },
      ...(approved
        ? [{ type: 'decision', itemId: 'w.a', toolCallId: 'w', decision: 'approve' } as const]
        : []),
      ...step('', call('w', send.name, args(ada, 'm1'))),
      returned('w', { id: 's1' }),
      said('Now tell her more'),
      started,
    ]
    expect(verdict(answered(false), args(ada))).toBe('approve')
    expect(verdict(answered(false), args(ada, 'm1'))).toBe('run')
    expect(verdict(answered(true), args(ada))).toBe('run')
  })
})

test('a tool that names no provider answers the mail of any tool, and without a required place anywhere', () => {
  const reply = tool('reply', {
    effect: 'write',
    repliesTo: 'message',
    parameters: {
      type: 'object',
      properties: { to: { type: 'string', source: 'conversation' }, message: { type: 'integer' } },
    },
  })
  const entries = [
    said('Answer it'),
    started,
    ...done('read_records', mail('ignored', 'x', { id: 7, from: ada })),
  ]
  const evidence = projectEvidence(entries, new Map([...tools, [reply.name, reply]]))
  expect(judgeProvenance(reply, { to: ada, message: 7 }, evidence).verdict).toBe('run')
  expect(judgeProvenance(reply, { to: ada }, evidence).verdict).toBe('approve')
})

test('of a text that a person corrected before they approved it, only what they changed is theirs', () => {
  const draft = args('bob@example.com', undefined, { body: `Helo, ask ${eve}` })
  const sent = args('bob@example.com', undefined, { body: `Hello, ask ${eve} or ${ada}` })
  const entries: Entry[] = [
    said('Tell bob@example.com'),
    started,
    {
      type: 'question',
      itemId: 'w.a',
      intent: 1,
      askedAt: '2026-11-22T07:05:00.000Z',
      kind: 'approval',
      toolCallId: 'w',
      toolName: send.name,
      code: 'approve',
      asked: 'Send it?',
      arguments: draft,
      open: [],
    },
    { type: 'decision', itemId: 'w.a', toolCallId: 'w', decision: 'approve', input: sent },
    ...step('', call('w', send.name, sent)),
    returned('w', { id: 's1' }),
  ]
  expect(verdict(entries, args(ada))).toBe('run')
  expect(verdict(entries, args(eve))).toBe('ask')
})
