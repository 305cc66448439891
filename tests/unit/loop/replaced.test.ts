import { describe, expect, test } from 'vitest'
import { toolError } from '../../../shared/engine/core/tool-error.ts'
import type { AgentResponse } from '../../../shared/engine/loop/run/agent-response.ts'
import { recordingTool, searchTool, startScenario } from '../../../support/agent-scenario.ts'
import { callTool, callTools, type ModelServerReply, say } from '../../../support/model-server.ts'
import { approvalOf, stored } from './decide.ts'
import { plainAndStreamed } from './plain-and-streamed.ts'

const invoice = { to: ['ada@example.com'], subject: 'Invoice 17', body: 'Please find it below.' }
const lunch = { to: ['ada@example.com'], subject: 'Lunch?', body: 'Lunch on Friday?' }
const bobs = { ...invoice, to: ['bob@example.com'] }
const context = { user: { name: 'Mia', email: 'mia@example.com' } }

const people = { type: 'array', items: { type: 'string', format: 'email' }, source: 'conversation' } as const
const text = { type: 'string' } as const

const mailTool = (more: Partial<Parameters<typeof recordingTool>[0]> = {}) =>
  recordingTool({
    name: 'send_email',
    confirm: 'Send "{subject}" to {to}?',
    approval: 'always',
    parameters: {
      type: 'object',
      properties: {
        to: people,
        subject: text,
        body: text,
        from: { type: 'string', format: 'email' },
        tone: { type: 'string', enum: ['plain', 'warm'] },
        receipt: { type: 'boolean' },
        priority: { type: 'integer', default: 3 },
        reply_to_message_id: text,
        attachments: {
          type: 'array',
          items: { type: 'object', properties: { file_id: text, filename: text } },
        },
      },
      required: ['to', 'subject', 'body'],
    },
    repliesTo: 'reply_to_message_id',
    ...more,
  })

plainAndStreamed('a card that waits', (stream) => {
  /** A conversation, message by message: the model answers each with one reply, then in words. */
  const talk = async (tools: Parameters<typeof startScenario>[0]['tools'] = [mailTool()]) => {
    const scenario = await startScenario({ stream, tools, script: [] })
    const before: AgentResponse[] = []
    return {
      scenario,
      before,
      async write(input: string, reply: ModelServerReply) {
        let asked = 0
        scenario.use(() => (asked++ === 0 ? reply : say('Fine.')))
        const response = await scenario.run({ input, context, transcript: stored(...before) })
        before.push(response)
        return response
      },
      async approve(response: AgentResponse, index = 0, more: object = {}) {
        scenario.use(() => say('Done.'))
        const approval = { ...approvalOf(response, 'approve', index), ...more }
        const decided = await scenario.resume({ transcript: stored(...before), approval, context })
        before.push(decided)
        return decided
      },
      [Symbol.asyncDispose]: () => scenario[Symbol.asyncDispose](),
    }
  }
  const subjects = ({ pending = [] }: AgentResponse) => pending.map(({ values }) => values?.subject)
  const openAda = async (chat: Awaited<ReturnType<typeof talk>>, more: object = {}) =>
    chat.write('Send invoice 17 to ada@example.com', callTool('send_email', { ...invoice, ...more }))

  test('a second mail to the same person leaves the first open', async () => {
    await using chat = await talk()
    const first = await openAda(chat)
    const second = await chat.write(
      'Also send her a second mail: lunch on Friday?',
      callTool('send_email', lunch),
    )
    expect(subjects(second)).toEqual(['Lunch?', 'Invoice 17'])
    expect(second.pending?.[1]?.itemId).toBe(first.pending?.[0]?.itemId)
  })

  test('the newer card says what still waits, and no longer does so once that is decided', async () => {
    await using chat = await talk()
    await openAda(chat)
    const second = await chat.write('And lunch?', callTool('send_email', lunch))
    const said = 'Still waiting: Send "Invoice 17" to "ada@example.com".'
    expect(second.pending?.[0]).toMatchObject({
      hint: said,
      question: `Question: Send "Lunch?" to "ada@example.com"? ${said}`,
      stillWaiting: [
        {
          code: 'still_waiting',
          values: { toolName: 'send_email', input: { to: invoice.to, subject: 'Invoice 17' } },
          text: said,
        },
      ],
    })
    expect(second.pending?.[1]).not.toHaveProperty('stillWaiting')
    const rest = await chat.approve(second, 1)
    expect(subjects(rest)).toEqual(['Lunch?'])
    expect(rest.pending?.[0]).not.toHaveProperty('stillWaiting')
    expect(rest.pending?.[0]?.question).not.toContain('Still waiting')
  })

  test.each([
    ['the newer card first', [0, 0], [lunch, invoice]],
    ['the older card first', [1, 0], [invoice, lunch]],
  ])('a yes to both sends both and asks nothing more, %s', async (_, [one = 0, other = 0], sent) => {
    const send = mailTool()
    await using chat = await talk([send])
    await openAda(chat)
    const both = await chat.write('And lunch?', callTool('send_email', lunch))
    const rest = await chat.approve(both, one)
    expect(rest.pending).toHaveLength(1)
    const end = await chat.approve(rest, other)
    expect(end).toMatchObject({ status: 'completed' })
    expect(end.pending).toBeUndefined()
    expect(send.runs).toEqual(sent)
  })

  test('a yes to both sends one mail where one of them was edited into the other', async () => {
    const send = mailTool()
    await using chat = await talk([send])
    await openAda(chat)
    const both = await chat.write('And lunch?', callTool('send_email', lunch))
    const rest = await chat.approve(both, 0, { input: invoice })
    await chat.approve(rest)
    expect(send.runs).toEqual([invoice])
  })

  test('a yes to a form that is an approval, too, asks nothing because of a mail of unknown outcome beside it', async () => {
    let calls = 0
    const send = mailTool({ execute: () => (calls++ === 0 ? Promise.reject(new Error('lost')) : 'sent') })
    await using chat = await talk([send])
    await openAda(chat)
    const { to: _, ...open } = lunch
    const both = await chat.write('And lunch with somebody?', callTool('send_email', open))
    expect(both.pending).toMatchObject([{ type: 'input' }, { type: 'approval' }])
    const lost = await chat.approve(both, 1)
    const form = lost.pending?.findIndex(({ type }) => type === 'input') ?? -1
    const end = await chat.approve(lost, form, { values: { to: invoice.to } })
    expect(send.runs).toEqual([invoice, lunch])
    expect(end.pending).toMatchObject([{ reason: 'unknown', values: invoice }])
  })

  describe('is replaced', () => {
    test.each([
      ['a text of its own is repeated', { ...invoice, body: 'It is 480 euros.' }],
      ['it only gets a copy', { ...invoice, tone: 'warm' }],
      ['somebody is added', { ...invoice, to: ['ada@example.com', 'bob@example.com'] }],
      ['its recipient is spelled otherwise', { ...invoice, to: ['ADA@example.com'], body: 'Hi.' }],
      ['it is for somebody else', bobs],
    ])('where %s', async (_, call) => {
      await using chat = await talk()
      await openAda(chat)
      const second = await chat.write('No: ada@example.com or bob@example.com', callTool('send_email', call))
      expect(second.pending).toMatchObject([{ intent: 1, values: call }])
      expect(second.pending).toHaveLength(1)
      expect(second.pending?.[0]).not.toHaveProperty('stillWaiting')
    })

    test('by what fills its form and changes nothing, whatever else is left out', async () => {
      await using chat = await talk()
      const { to: _, ...open } = invoice
      await chat.write('Send invoice 17', callTool('send_email', open))
      const second = await chat.write('To ada@example.com', callTool('send_email', { to: invoice.to }))
      expect(second.pending).toMatchObject([{ type: 'approval', intent: 1, values: invoice }])
      expect(second.pending).toHaveLength(1)
    })
  })

  describe('stays open', () => {
    const more = {
      from: 'mia@example.com',
      tone: 'warm',
      receipt: true,
      priority: 3,
      reply_to_message_id: 'm-1',
      attachments: [{ file_id: 'f-1', filename: 'plan.pdf' }],
    }

    test.each(Object.entries(more))('where only the recipient and "%s" are repeated', async (name, value) => {
      await using chat = await talk()
      await openAda(chat, { [name]: value })
      const call = callTool('send_email', { ...lunch, [name]: value })
      const second = await chat.write('And lunch?', call)
      expect(subjects(second)).toEqual(['Lunch?', 'Invoice 17'])
    })

    test('while its form is not answered and another mail is asked for', async () => {
      await using chat = await talk()
      const { to: _, ...open } = invoice
      await chat.write('Send invoice 17', callTool('send_email', open))
      const second = await chat.write('Ask ada@example.com for lunch', callTool('send_email', lunch))
      expect(second.pending).toMatchObject([{ type: 'approval' }, { type: 'input' }])
      expect(second.pending?.[0]?.hint).toContain('Still waiting: Send "Invoice 17"')
    })

    test('where two fit equally well, and so does the other one', async () => {
      await using chat = await talk()
      await chat.write(
        'Send invoice 17 to ada@example.com and bob@example.com',
        callTools([
          ['send_email', invoice],
          ['send_email', bobs],
        ]),
      )
      const carlas = { ...invoice, to: ['carla@example.com'] }
      const second = await chat.write('No, to carla@example.com', callTool('send_email', carlas))
      expect(second.pending?.map(({ values }) => values?.to)).toEqual([carlas.to, invoice.to, bobs.to])
      expect(second.pending?.[0]?.stillWaiting).toHaveLength(2)
    })

    test('beside one of its tool that fits better', async () => {
      await using chat = await talk()
      await openAda(chat)
      await chat.write('And lunch?', callTool('send_email', lunch))
      const later = { ...lunch, subject: 'Lunch on Monday?' }
      const third = await chat.write('No, on Monday', callTool('send_email', { ...later }))
      expect(subjects(third)).toEqual(['Lunch on Monday?', 'Invoice 17'])
    })

    test('after two calls of one answer of which none repeats it', async () => {
      await using chat = await talk()
      await openAda(chat)
      const dinner = { ...lunch, subject: 'Dinner?', body: 'Dinner, then?' }
      const both = callTools([
        ['send_email', lunch],
        ['send_email', dinner],
      ])
      const second = await chat.write('Ask her for lunch, and for dinner', both)
      expect(subjects(second)).toEqual(['Lunch?', 'Dinner?', 'Invoice 17'])
      for (const card of second.pending?.slice(0, 2) ?? [])
        expect(card.stillWaiting).toMatchObject([{ values: { input: { subject: 'Invoice 17' } } }])
    })
  })

  test('a card to connect an account stays for its mail when another one is asked for', async () => {
    const missing = toolError('not_configured', 'Question: Please connect it.')
    await using chat = await talk([{ ...mailTool(), requirement: () => missing }])
    await openAda(chat)
    const second = await chat.write('And lunch?', callTool('send_email', lunch))
    expect(second.pending).toMatchObject([
      { type: 'connection', values: lunch },
      { type: 'connection', values: invoice },
    ])
    const third = await chat.write('Send the lunch mail', callTool('send_email', lunch))
    expect(third.pending).toHaveLength(2)
  })

  test('what deletes other things leaves the first open, and what deletes the same ones replaces it', async () => {
    const remove = recordingTool({
      name: 'delete_notes',
      confirm: 'Delete {note_ids#note|notes}?',
      destructive: 'delete',
      approval: 'always',
      effect: 'write',
      parameters: {
        type: 'object',
        properties: { note_ids: { type: 'array', items: text }, forever: { type: 'boolean' } },
        required: ['note_ids'],
      },
    })
    await using chat = await talk([remove])
    await chat.write('Delete a and b', callTool('delete_notes', { note_ids: ['a', 'b'] }))
    const other = await chat.write('And c', callTool('delete_notes', { note_ids: ['c'] }))
    expect(other.pending).toHaveLength(2)
    const same = await chat.write(
      'a and b forever',
      callTool('delete_notes', { note_ids: ['a', 'b'], forever: true }),
    )
    expect(same.pending).toMatchObject([{ values: { forever: true } }, { values: { note_ids: ['c'] } }])
    await chat.approve(same, 1)
    expect(remove.runs).toEqual([{ note_ids: ['c'] }])
  })

  test('what a looked-up place names is no value of its own', async () => {
    const share = recordingTool({
      name: 'share',
      confirm: 'Share {plan:title} with {email}?',
      approval: 'always',
      effect: 'write',
      parameters: {
        type: 'object',
        properties: { plan: text, email: { ...text, source: 'conversation' } },
        required: ['plan', 'email'],
      },
    })
    await using chat = await talk([share])
    await chat.write(
      'Share it with ada@example.com',
      callTool('share', { plan: 'p', email: 'ada@example.com' }),
    )
    const second = await chat.write(
      'And bob@example.com',
      callTool('share', { plan: 'p', email: 'bob@example.com' }),
    )
    expect(second.pending).toHaveLength(2)
    const third = await chat.write(
      'ada@example.com',
      callTool('share', { plan: 'p', email: 'ada@example.com' }),
    )
    expect(third.pending).toHaveLength(2)
  })

  test('one whose search has read something since is compared by the same rule', async () => {
    await using chat = await talk([mailTool(), searchTool()])
    await openAda(chat)
    let asked = 0
    chat.scenario.use(
      () =>
        [callTool('web_search', { query: 'lunch' }), callTool('send_email', lunch)][asked++] ?? say('Fine.'),
    )
    const second = await chat.scenario.run({
      input: 'Find a place and ask her',
      context,
      transcript: stored(...chat.before),
    })
    expect(subjects(second)).toEqual(['Lunch?', 'Invoice 17'])
  })
})
