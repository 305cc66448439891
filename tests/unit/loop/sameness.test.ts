import { describe, expect, test } from 'vitest'
import type { AgentResponse } from '../../../shared/engine/loop/run/agent-response.ts'
import { createMemoryLedger } from '../../../shared/engine/loop/run/memory-ledger.ts'
import { recordingTool, type Scenario, searchTool, startScenario } from '../../../support/agent-scenario.ts'
import { callTool, callTools, type ModelServerReply, say } from '../../../support/model-server.ts'
import { approvalOf, decide, idOf, lostMail, mail, stored } from './decide.ts'
import { plainAndStreamed } from './plain-and-streamed.ts'

const hour = 3_600_000
const input = 'Write to ada@example.com and bob@example.com.'
const otherWords = { ...mail, body: 'See you at ten.' }
const otherSubject = { ...mail, subject: 'Lunch', body: 'At noon.' }
const toBob = { ...mail, to: 'bob@example.com' }
const done = 'Already done on 21 Nov at 10:00 UTC. Send "Meeting" to "ada@example.com" again?'

/** A mail whose recipient must come from the user, as the integrations have it. */
const mailTool = (more: Partial<Parameters<typeof recordingTool>[0]> = {}) =>
  recordingTool({
    name: 'send_email',
    confirm: 'Send "{subject}" to {to}?',
    parameters: {
      type: 'object',
      properties: {
        to: { type: 'string', format: 'email', source: 'conversation' },
        subject: { type: 'string' },
        body: { type: 'string' },
      },
      required: ['to', 'subject', 'body'],
    },
    ...more,
  })

plainAndStreamed('a write that means the same', (stream) => {
  const start = (send: ReturnType<typeof mailTool>, ...script: ModelServerReply[]) =>
    startScenario({ stream, tools: [send, searchTool()], script })

  /** One more turn of a conversation whose mail to Ada has gone. */
  const turnAfter = (scenario: Scenario, reply: ModelServerReply, ...before: AgentResponse[]) =>
    turnSaying(input, scenario, reply, ...before)
  const turnSaying = async (
    said: string,
    scenario: Scenario,
    reply: ModelServerReply,
    ...before: AgentResponse[]
  ) => {
    scenario.use([reply, say('Done.'), say('Done.')])
    return scenario.run({ input: said, transcript: stored(...before) })
  }

  describe('in the same turn', () => {
    test('is told once that it is done, and asks when it is called again', async () => {
      const send = mailTool()
      const call = callTool('send_email', mail)
      await using scenario = await start(send, call, call, call, say('Sent.'))
      const response = await scenario.run({ input })
      expect(response).toMatchObject({
        status: 'needs_approval',
        toolsUsed: [{ ok: true }, { ok: true, output: { done: 1 } }],
        pending: [{ reason: 'repetition', values: mail }],
      })
      expect(scenario.lastToolText(3)).toContain('not carried out a second time')
      expect(response.pending?.[0]?.question).toContain(done)
      expect(send.runs).toEqual([mail])
      const again = await scenario.resume(decide(response, 'approve'))
      expect(again.status).toBe('completed')
      expect(send.runs).toEqual([mail, mail])
      expect(new Set(send.keys).size).toBe(2)
    })

    test('in other words to the same recipient asks, and says what was done and when', async () => {
      const send = mailTool()
      await using scenario = await start(
        send,
        callTool('send_email', mail),
        callTool('send_email', otherWords),
        say('Sent.'),
      )
      const response = await scenario.run({ input, context: { user: { timezone: 'Europe/Berlin' } } })
      expect(response.pending).toMatchObject([{ type: 'approval', reason: 'repetition', values: otherWords }])
      expect(response.pending?.[0]?.question).toBe(
        'Question: Already done on 21 Nov at 11:00. Send "Meeting" to "ada@example.com" again?',
      )
      expect(send.runs).toEqual([mail])
      expect((await scenario.resume(decide(response, 'approve'))).status).toBe('completed')
      expect(send.runs).toEqual([mail, otherWords])
    })

    test.each([
      [undefined, 'Already done on 21 Nov at 10:00 UTC: Send "Really? (yes)" to "ada@example.com".'],
      [
        'Sent "{subject}" to {to}',
        'Already sent "Really? (yes)" to "ada@example.com" on 21 Nov at 10:00 UTC.',
      ],
      [
        'Sent as {output.id}',
        'Already done on 21 Nov at 10:00 UTC: Send "Really? (yes)" to "ada@example.com".',
      ],
    ])('is told in the words of the tool (%s)', async (summary, told) => {
      const really = { ...mail, subject: 'Really? (yes)' }
      const send = mailTool(summary === undefined ? {} : { summary })
      await using scenario = await start(
        send,
        callTool('send_email', really),
        callTool('send_email', { ...really, subject: 'Lunch' }),
      )
      const { pending } = await scenario.run({ input })
      expect(pending?.[0]?.question).toBe(`Question: ${told} Send "Lunch" to "ada@example.com" again?`)
    })

    test('says once what it is, and what became of it in the word of the tool', async () => {
      const send = mailTool({ past: 'sent', summary: 'Sent "{subject}" to {to}' })
      await using scenario = await start(
        send,
        callTool('send_email', mail),
        callTool('send_email', otherWords),
      )
      const { pending } = await scenario.run({ input })
      expect(pending?.[0]).toMatchObject({
        asked: 'Send "Meeting" to "ada@example.com" again?',
        hint: 'Already sent on 21 Nov at 10:00 UTC.',
      })
    })

    test('of one step is done once, and the other call is told so', async () => {
      const send = mailTool()
      const twice = callTools([
        ['send_email', mail],
        ['send_email', mail],
      ])
      await using scenario = await start(send, twice, say('Sent.'))
      const response = await scenario.run({ input })
      expect(response).toMatchObject({
        status: 'completed',
        toolsUsed: [{ ok: true }, { ok: false, error: { errorType: 'cancelled', resolver: 'model' } }],
      })
      expect(scenario.lastToolText(2)).toMatch(/^Not carried out a second time/)
      expect(scenario.lastToolText(2)).toContain('the user is asked')
      expect(send.runs).toEqual([mail])
    })

    test('is not one to somebody else', async () => {
      const send = mailTool()
      await using scenario = await start(
        send,
        callTools([
          ['send_email', mail],
          ['send_email', toBob],
        ]),
        say('Sent.'),
      )
      expect((await scenario.run({ input })).status).toBe('completed')
      expect(send.runs).toHaveLength(2)
    })

    test('beside one of unknown outcome says that it may have been done', async () => {
      const send = lostMail()
      await using scenario = await start(send, callTool('send_email', mail))
      const asked = await scenario.run({ input })
      expect(asked.pending).toMatchObject([{ reason: 'unknown' }])
      const next = await turnAfter(scenario, callTool('send_email', otherWords), asked)
      expect(next.pending?.[0]).toMatchObject({ reason: 'repetition', values: otherWords })
      expect(next.pending?.[0]?.question).toContain('This may have been done on 21 Nov at 10:00 UTC: ')
      expect(send.runs).toEqual([mail])
    })
  })

  describe('in a later turn', () => {
    const sendFirst = async (send = mailTool()) => {
      const scenario = await start(send, callTool('send_email', mail), say('Sent.'))
      return { send, scenario, first: await scenario.run({ input }) }
    }

    test.each([
      ['equal arguments', mail],
      ['the same recipient and subject', otherWords],
    ])('with %s asks within a day, and no longer', async (_, again) => {
      const { send, first, ...rest } = await sendFirst()
      await using scenario = rest.scenario
      scenario.clock.advance(24 * hour - 1)
      const asked = await turnAfter(scenario, callTool('send_email', again), first)
      expect(asked).toMatchObject({ status: 'needs_approval', pending: [{ reason: 'repetition' }] })
      expect(asked.pending?.[0]?.question).toContain(done)
      expect(send.runs).toEqual([mail])
      scenario.clock.advance(1)
      expect((await turnAfter(scenario, callTool('send_email', again), first)).status).toBe('completed')
      expect(send.runs).toEqual([mail, again])
    })

    test('to another recipient does not ask', async () => {
      const { send, first, ...rest } = await sendFirst()
      await using scenario = rest.scenario
      expect((await turnAfter(scenario, callTool('send_email', toBob), first)).status).toBe('completed')
      expect(send.runs).toEqual([mail, toBob])
    })

    test.each(['Thanks.', 'What happened?', input, 'Did you write to ada@example.com?'])(
      'with another subject asks, and says what went when, if the user typed nothing new (%s)',
      async (said) => {
        const { send, first, ...rest } = await sendFirst(mailTool({ summary: 'Sent "{subject}" to {to}' }))
        await using scenario = rest.scenario
        scenario.clock.advance(hour)
        const asked = await turnSaying(said, scenario, callTool('send_email', otherSubject), first)
        expect(asked.pending).toMatchObject([{ reason: 'repetition', code: 'approve_as_well' }])
        expect(asked.pending?.[0]?.question).toBe(
          'Question: Sent "Meeting" to "ada@example.com" on 21 Nov at 10:00 UTC. Send "Lunch" to "ada@example.com" as well?',
        )
        expect(send.runs).toEqual([mail])
        expect((await scenario.resume(decide(asked, 'approve', {}, [first]))).status).toBe('completed')
        expect(send.runs).toEqual([mail, otherSubject])
      },
    )

    test.each([
      ['a whole value', 'Also write to her about lunch.', otherSubject],
      [
        'a sentence',
        'Also tell her: the room is 4.12.',
        { ...mail, subject: 'Room', body: 'Hi Ada,\n\nThe room is 4.12.\n\nBye' },
      ],
      [
        'a part of one',
        'Also tell her that the room is 4.12.',
        { ...mail, subject: 'Room', body: 'Hi Ada, the room is 4.12.' },
      ],
      [
        'a German one',
        'Sag ihr noch, dass der Raum im vierten Stock ist.',
        {
          ...mail,
          subject: 'Raum',
          body: 'Hallo Ada, der Raum im vierten Stock ist es.\n\nDer Raum im vierten Stock ist.',
        },
      ],
      [
        'a Chinese one',
        '再告诉她会议室在四楼412。',
        { ...mail, subject: '通知', body: '你好，会议室在四楼412。' },
      ],
      [
        'a Japanese one',
        '会議室は四階ですと彼女にも伝えて。',
        { ...mail, subject: '連絡', body: '会議室は四階です。' },
      ],
      [
        'an Arabic one',
        'أخبرها أيضا أن الغرفة في الطابق الرابع',
        { ...mail, subject: 'إشعار', body: 'مرحبا، الغرفة في الطابق الرابع.' },
      ],
    ])('with %s that the user has typed since does not ask', async (_, said, other) => {
      const { send, first, ...rest } = await sendFirst()
      await using scenario = rest.scenario
      expect((await turnSaying(said, scenario, callTool('send_email', other), first)).status).toBe(
        'completed',
      )
      expect(send.runs).toEqual([mail, other])
    })

    test.each([
      ['stood in the first message', input, { ...otherSubject, body: 'bob@example.com' }],
      ['stood in the first write', 'Once more: At ten.', { ...otherSubject, body: 'At ten.' }],
      ['is only quoted', 'Thanks.\n> the room is 4.12', { ...otherSubject, body: 'The room is 4.12' }],
      ['anybody could guess', 'Thanks, all 3 of you', { ...otherSubject, body: '3' }],
      [
        'is only part of what is sent',
        'Thanks for the mail.',
        { ...otherSubject, body: 'Thanks for the mail about lunch' },
      ],
      ['in Chinese is only part of it', '谢谢你的邮件', { ...otherSubject, body: '谢谢你的邮件和午餐' }],
    ])('with words that %s asks', async (_, said, other) => {
      const { send, first, ...rest } = await sendFirst(mailTool())
      await using scenario = rest.scenario
      const asked = await turnSaying(said, scenario, callTool('send_email', other), first)
      expect(asked.pending).toMatchObject([{ reason: 'repetition', code: 'approve_as_well' }])
      expect(send.runs).toEqual([mail])
    })

    test.each(['answered', 'approved'])(
      'with a value that was typed into an %s form does not ask',
      async (how) => {
        const { send, first, ...rest } = await sendFirst()
        await using scenario = rest.scenario
        const { subject: _, ...open } = otherSubject
        const form = () => callTool('send_email', { ...open, subject: undefined })
        scenario.use([form(), form(), form()])
        send.specification.approval = how === 'approved' ? 'always' : 'never'
        const asked = await scenario.run({ input: 'And another one.', transcript: stored(first) })
        expect(asked.status).toBe('needs_input')
        scenario.use([say('Sent.')])
        const values = { subject: 'Party' }
        const sent = await scenario.resume(
          how === 'approved'
            ? decide(asked, 'approve', { values }, [first])
            : { transcript: stored(first, asked), answer: { toolCallId: idOf(asked), values } },
        )
        expect(sent.status).toBe('completed')
        expect(send.runs).toEqual([mail, { ...open, subject: 'Party' }])
      },
    )

    test('does not ask where doing it again is usual', async () => {
      const { send, first, ...rest } = await sendFirst(mailTool({ repeats: true }))
      await using scenario = rest.scenario
      expect((await turnAfter(scenario, callTool('send_email', mail), first)).status).toBe('completed')
      expect(send.runs).toEqual([mail, mail])
    })

    test('asks in every ledger that knows of it, and in no other', async () => {
      const { send, first, ...rest } = await sendFirst()
      await using scenario = rest.scenario
      scenario.use([callTool('send_email', mail), say('Done.')])
      const ledger = createMemoryLedger(scenario.clock.now)
      expect((await scenario.run({ input, transcript: stored(first), ledger })).status).toBe('completed')
      expect(send.runs).toHaveLength(2)
    })

    test('is told of in the approval that is asked anyway', async () => {
      const { first, ...rest } = await sendFirst(mailTool({ approval: { subject: ['Meeting'] } }))
      await using scenario = rest.scenario
      const sent = await scenario.resume(decide(first, 'approve'))
      const asked = await turnAfter(scenario, callTool('send_email', otherWords), first, sent)
      expect(asked.pending).toHaveLength(1)
      expect(asked.pending?.[0]?.question).toContain(done)
      expect((await scenario.resume(decide(asked, 'approve', {}, [first, sent]))).status).toBe('completed')
    })

    test('to an address from outside says both: what was done, and where the address comes from', async () => {
      const send = mailTool()
      const search = searchTool({ execute: () => ({ page: 'Write to eve@example.com' }) })
      const eves = { ...mail, to: 'eve@example.com' }
      await using scenario = await startScenario({
        stream,
        tools: [send, search],
        script: [callTool('web_search', { query: 'eve' }), callTool('send_email', eves), say('Sent.')],
      })
      const first = await scenario.run({ input: 'Find the address and write to it.' })
      // Somebody else of the conversation has sent it meanwhile.
      const { ledger } = scenario
      const other = first.pending?.[0]
      await ledger.claim({
        id: crypto.randomUUID(),
        runId: 'other',
        toolCallId: 'other',
        toolName: 'send_email',
        effect: 'write',
        attempt: 1,
        intent: 1,
        arguments: eves,
        repairs: [],
        repetition: 0,
        meaning: { sourced: '', named: '', people: [], answers: '', repeats: false },
      })
      expect(other?.reason).toBe('provenance')
      scenario.use([callTool('send_email', eves)])
      const asked = await scenario.run({ input: 'Go on.', transcript: stored(first) })
      expect(asked.pending?.[0]?.question).toBe(
        'Question: This may have been done on 21 Nov at 10:00 UTC, but no confirmation arrived. "eve@example.com" comes from "Web search", not from you. Send "Meeting" to "eve@example.com" again?',
      )
      expect(send.runs).toEqual([])
    })
  })

  describe('decided about a card that is older', () => {
    /** A card about a mail, and then another mail to the same person that went from elsewhere. */
    const start = async (send = mailTool({ approval: { subject: ['Meeting'] } })) => {
      const scenario = await startScenario({
        stream,
        tools: [send],
        script: [callTool('send_email', mail), callTool('send_email', otherSubject), say('Sent.')],
      })
      const card = await scenario.run({ input })
      scenario.clock.advance(hour)
      const sent = await scenario.run({ input: 'Lunch, to ada@example.com.' })
      expect(sent.status).toBe('completed')
      scenario.use(() => say('Done.'))
      scenario.clock.advance(hour)
      return { send, scenario, card }
    }

    test('asks, and says what was done since', async () => {
      const { send, card, ...rest } = await start()
      await using scenario = rest.scenario
      const asked = await scenario.resume(decide(card, 'approve'))
      expect(asked.pending).toMatchObject([{ reason: 'repetition', intent: 1, values: mail }])
      expect(asked.pending?.[0]?.question).toContain(
        'on 21 Nov at 11:00 UTC: Send "Lunch" to "ada@example.com".',
      )
      expect(send.runs).toEqual([otherSubject])
      expect((await scenario.resume(decide(asked, 'approve', {}, [card]))).status).toBe('completed')
      expect(send.runs).toEqual([otherSubject, mail])
    })

    test('that was asked anew, because it was too late, too', async () => {
      const { send, card, ...rest } = await start()
      await using scenario = rest.scenario
      scenario.clock.advance(8 * 24 * hour)
      const anew = await scenario.resume(decide(card, 'approve'))
      const asked = await scenario.resume(decide(anew, 'approve', {}, [card]))
      expect(asked.pending).toMatchObject([{ reason: 'repetition', values: mail }])
      expect(send.runs).toEqual([otherSubject])
    })

    test('an approval of a repetition covers what it told of, and no more', async () => {
      const send = mailTool()
      await using scenario = await startScenario({
        stream,
        tools: [send],
        script: [callTool('send_email', mail), callTool('send_email', otherWords)],
      })
      const first = await scenario.run({ input })
      expect(first.pending).toMatchObject([{ reason: 'repetition', values: otherWords }])
      scenario.clock.advance(hour)
      scenario.use([callTool('send_email', otherSubject), say('Sent.')])
      const more = await scenario.run({ input: 'Lunch, to ada@example.com.', transcript: stored(first) })
      expect(more.status).toBe('completed')
      scenario.use(() => say('Done.'))
      const asked = await scenario.resume(decide(first, 'approve'))
      expect(asked.pending).toMatchObject([{ reason: 'repetition', values: otherWords }])
      expect(asked.pending?.[0]?.question).toContain('Send "Lunch" to "ada@example.com"')
      expect(send.runs).toEqual([mail, otherSubject])
      expect((await scenario.resume(decide(asked, 'approve', {}, [first]))).status).toBe('completed')
      expect(send.runs).toEqual([mail, otherSubject, otherWords])
    })
  })

  test('is what a model asks for at once, approved at once, and goes each time', async () => {
    const send = mailTool({ approval: 'always' })
    await using scenario = await startScenario({
      stream,
      tools: [send],
      script: [
        callTools([
          ['send_email', mail],
          ['send_email', otherWords],
        ]),
        say('Sent.'),
      ],
    })
    const cards = await scenario.run({ input })
    const approval = [approvalOf(cards, 'approve', 0), approvalOf(cards, 'approve', 1)]
    const response = await scenario.resume({ transcript: stored(cards), approval })
    expect(response.status).toBe('completed')
    expect(send.runs).toEqual([mail, otherWords])
  })

  test('similar writes of one step run side by side', async () => {
    const label = recordingTool({
      name: 'add_label',
      parameters: { type: 'object', properties: { id: { type: 'string' }, label: { type: 'string' } } },
      execute: () => new Promise((resolve) => setImmediate(() => resolve('labelled'))),
    })
    await using scenario = await startScenario({
      stream,
      tools: [label],
      script: [callTools(['1', '2', '3'].map((id) => ['add_label', { id, label: 'Work' }])), say('Done.')],
    })
    expect((await scenario.run()).status).toBe('completed')
    expect(label.runs).toHaveLength(3)
  })
})
