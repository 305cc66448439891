import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ToolCallError, toolError } from '../../../shared/engine/core/tool-error.ts'
import type { AgentResponse } from '../../../shared/engine/loop/run/agent-response.ts'
import type { Entry } from '../../../shared/engine/transcript/entry.ts'
import { applyEntry } from '../../../shared/engine/transcript/fold-loop.ts'
import { emptyLoopState } from '../../../shared/engine/transcript/loop-state.ts'
import { openItems } from '../../../shared/engine/transcript/open-items.ts'
import {
  mailTool,
  recordingTool,
  type Scenario,
  searchTool,
  startScenario,
} from '../../../support/agent-scenario.ts'
import {
  callTool,
  callTools,
  type ModelScript,
  type ModelServerRequest,
  say,
} from '../../../support/model-server.ts'
import { isTestAll } from '../../../support/test-all.ts'
import { approvalOf, approvedMail, decide, idOf, lostMail, mail, stored, withoutTo } from './decide.ts'
import { plainAndStreamed } from './plain-and-streamed.ts'

const bobs = { to: 'bob@example.com', subject: 'Invoice', body: 'Please find it attached.' }

const long = `${'Word. '.repeat(2_000)} Say “at ten.” to`

/** Of an email whose recipient must come from the user. */
const parameters = {
  type: 'object',
  properties: {
    to: { type: 'string', format: 'email', source: 'conversation' },
    subject: { type: 'string' },
    body: { type: 'string' },
    footer: { type: 'string' },
  },
  required: ['to', 'subject', 'body'],
} as const

/** A mail to Ada, then one to Bob. */
const bothMails: ModelScript = ({ number }) => {
  const sent = [mail, bobs][number - 1]
  return sent ? callTool('send_email', sent) : say('Done.')
}

/** The last message of the user as the n-th request (from 1) carried it. */
function userText(scenario: Scenario, request: number): string {
  const { messages } = scenario.requests[request - 1]?.body ?? { messages: [] }
  return String(messages.findLast(({ role }) => role === 'user')?.content)
}

const isLast = ({ body }: ModelServerRequest) => body.tool_choice === 'none'

/** One more turn of a conversation. */
const write = (scenario: Scenario, input: string, ...before: AgentResponse[]) =>
  scenario.run({ input, transcript: stored(...before) })

const questionsOf = (response: AgentResponse) => response.pending?.map(({ question }) => question)

plainAndStreamed('what is open', (stream) => {
  describe('a message that answers it', () => {
    /** A form that asks to whom a mail goes. */
    const askToWhom = async (send = mailTool()) => {
      const scenario = await startScenario({
        stream,
        tools: [send],
        script: [callTool('send_email', withoutTo), say('Who should get it?')],
      })
      const asked = await scenario.run({ input: 'Send an email about the meeting.' })
      expect(asked).toMatchObject({ status: 'needs_input', pending: [{ type: 'input', intent: 1 }] })
      return { send, scenario, asked }
    }

    test('closes the form once the mail goes, and the form sends nothing afterwards', async () => {
      const { send, asked, ...rest } = await askToWhom()
      await using scenario = rest.scenario
      scenario.use([callTool('send_email', mail), say('Sent.')])
      const sent = await write(scenario, 'To ada@example.com', asked)
      expect(sent).toMatchObject({ status: 'completed', toolsUsed: [{ ok: true, attempt: 1 }] })
      expect(sent.pending).toBeUndefined()
      expect(openItems(stored(asked, sent))).toEqual([])
      const answer = { itemId: asked.pending?.[0]?.itemId ?? '', values: { to: mail.to } }
      const late = await scenario.resume({ transcript: stored(asked, sent), answer })
      expect(late).toMatchObject({ status: 'completed', messages: [], transcript: [] })
      expect(send.runs).toEqual([mail])
    })

    test('may leave out what is required and was said, but the model is the one who calls', async () => {
      const { send, asked, ...rest } = await askToWhom()
      await using scenario = rest.scenario
      scenario.use([callTool('send_email', { to: mail.to, subject: mail.subject }), say('Sent.')])
      const sent = await write(scenario, 'To ada@example.com', asked)
      expect(send.runs).toEqual([mail])
      expect(sent.toolsUsed[0]).toMatchObject({ repairs: [{ path: 'body', rule: 'as-before' }] })
    })

    test('fills the open place of an item that keeps nothing', async () => {
      const send = recordingTool({
        name: 'send_note',
        parameters: {
          type: 'object',
          properties: { to: { type: 'string', question: 'Who should get it?' } },
          required: ['to'],
        },
      })
      await using scenario = await startScenario({
        stream,
        tools: [send],
        script: [callTool('send_note', {}), say('Who?'), callTool('send_note', { to: 'Ada' }), say('Sent.')],
      })
      const asked = await scenario.run()
      expect(asked.pending).toMatchObject([{ type: 'input', values: {} }])
      const sent = await write(scenario, 'Ada', asked)
      expect(sent).toMatchObject({ status: 'completed' })
      expect(openItems(stored(asked, sent))).toEqual([])
      expect(send.runs).toEqual([{ to: 'Ada' }])
    })

    test('with a yes and the same call leaves one approval, under a new id, and the old id counts for nothing', async () => {
      const send = approvedMail()
      await using scenario = await startScenario({
        stream,
        tools: [send],
        script: ({ number }) => (number <= 2 ? callTool('send_email', mail) : say('Sent.')),
      })
      const first = await scenario.run()
      const second = await write(scenario, 'yes, send it please', first)
      expect(second).toMatchObject({ status: 'needs_approval', pending: [{ intent: 1, values: mail }] })
      expect(second.pending).toHaveLength(1)
      expect(second.pending?.[0]?.approvalId).not.toBe(first.pending?.[0]?.approvalId)
      const old = { transcript: stored(first, second), approval: approvalOf(first, 'approve') }
      expect(await scenario.resume(old)).toMatchObject({ status: 'needs_approval', transcript: [] })
      expect(send.runs).toEqual([])
      const sent = await scenario.resume(decide(second, 'approve', {}, [first]))
      expect(sent.status).toBe('completed')
      expect(await scenario.resume({ ...old, transcript: stored(first, second, sent) })).toMatchObject({
        status: 'completed',
        transcript: [],
      })
      expect(send.runs).toEqual([mail])
    })

    test('and asks for a changed call replaces the card by one about the changed call', async () => {
      const changed = { ...mail, body: 'At eleven.' }
      const send = approvedMail()
      await using scenario = await startScenario({
        stream,
        tools: [send],
        script: [callTool('send_email', mail), callTool('send_email', changed), say('Sent.')],
      })
      const first = await scenario.run()
      const second = await write(scenario, 'No, at eleven.', first)
      expect(second.pending).toMatchObject([{ intent: 1, values: changed }])
      await scenario.resume(decide(second, 'approve', {}, [first]))
      expect(send.runs).toEqual([changed])
    })
  })

  describe('a message about something else', () => {
    test('leaves the item open and has an intent of its own', async () => {
      const send = approvedMail()
      await using scenario = await startScenario({ stream, tools: [send], script: bothMails })
      const adas = await scenario.run()
      const both = await write(scenario, 'Also send Bob the invoice.', adas)
      expect(both).toMatchObject({
        status: 'needs_approval',
        pending: [
          { intent: 2, values: bobs },
          { intent: 1, values: mail, itemId: adas.pending?.[0]?.itemId },
        ],
      })
      expect(both.text).not.toContain(mail.to)
      const one = await scenario.resume(decide(both, 'approve', {}, [adas]))
      expect(one).toMatchObject({ status: 'completed', pending: [{ intent: 1, values: mail }] })
      const two = await scenario.resume(decide(one, 'approve', {}, [adas, both]))
      expect(two.status).toBe('completed')
      expect(two.pending).toBeUndefined()
      expect(send.runs).toEqual([bobs, mail])
    })

    test.each([
      ['to somebody else, in other words, leaves it open', 'And', { body: 'Another matter.' }, 2],
      ['to somebody else, but otherwise the same, corrects it', 'No, to', {}, 1],
      ['to somebody else, with a text that the user says again, leaves it open', 'Say “at ten.” to', {}, 2],
      ['to somebody else, with that text far down in a long message, corrects it', long, {}, 1],
      [
        'to the same in another spelling, in other words, corrects it',
        'Say “At ten.” to',
        { to: 'ADA@example.com', body: 'Hi.' },
        1,
      ],
    ] as const)('under the same subject, %s', async (_, words, changed, count) => {
      const send = recordingTool({ name: 'send_email', parameters, approval: 'always' })
      const evas = { ...mail, to: 'eva@example.com', ...changed }
      await using scenario = await startScenario({
        stream,
        tools: [send],
        script: [callTool('send_email', mail), callTool('send_email', evas)],
      })
      const first = await scenario.run({ input: `Tell ${mail.to} about the meeting.` })
      const second = await write(scenario, `${words} ${evas.to}.`, first)
      expect(second.pending).toMatchObject(
        [{ values: evas }, { values: mail, itemId: first.pending?.[0]?.itemId }].slice(0, count),
      )
      expect(second.pending).toHaveLength(count)
    })

    /** A mail waits for its approval; then a message to which the model answers with a call without recipient. */
    const askOfNobody = async (words: string, call: object, open: object = mail) => {
      const send = recordingTool({ name: 'send_email', parameters, approval: 'always' })
      const script = [callTool('send_email', open), say('What should it say?')]
      const scenario = await startScenario({ stream, tools: [send], script })
      const first = await scenario.run({ input: `Tell ${mail.to} about the meeting.` })
      scenario.use((request) => (isLast(request) ? say('To whom?') : callTool('send_email', call)))
      const second = await write(scenario, words, first)
      return { send, scenario, first, second }
    }

    test('to nobody, with half of the rest different, leaves it open, and each goes with its own press', async () => {
      const train = { subject: mail.subject, body: 'The train is late.' }
      const { send, first, second, ...rest } = await askOfNobody(
        'Send an email that the train is late.',
        train,
      )
      await using scenario = rest.scenario
      expect(second.pending).toMatchObject([
        { type: 'input', intent: 2, values: train },
        { type: 'approval', intent: 1, values: mail, itemId: first.pending?.[0]?.itemId },
      ])
      scenario.use([say('Sent.')])
      const approval = approvalOf(second, 'approve', 1)
      const sent = await scenario.resume({ transcript: stored(first, second), approval })
      expect(send.runs).toEqual([mail])
      const answer = { itemId: second.pending?.[0]?.itemId ?? '', values: { to: bobs.to } }
      const asked = await scenario.resume({ transcript: stored(first, second, sent), answer })
      expect(asked.pending).toMatchObject([{ type: 'approval', values: { ...train, to: bobs.to } }])
      expect(send.runs).toEqual([mail])
      scenario.use([say('Sent.')])
      await scenario.resume(decide(asked, 'approve', {}, [first, second, sent]))
      expect(send.runs).toEqual([mail, { ...train, to: bobs.to }])
    })

    test('to the same person as the approval, in words, answers the question beside it', async () => {
      const train = { subject: mail.subject, body: 'The train is late.' }
      const { send, first, second, ...rest } = await askOfNobody(
        'Send an email that the train is late.',
        train,
      )
      await using scenario = rest.scenario
      scenario.use((request) =>
        isLast(request) ? say('Shall I?') : callTool('send_email', { ...mail, ...train }),
      )
      const third = await write(scenario, `To ${mail.to}`, first, second)
      expect(third.pending).toMatchObject([
        { type: 'approval', intent: 2, values: { ...mail, ...train } },
        { type: 'approval', intent: 1, values: mail },
      ])
      expect(third.pending).toHaveLength(2)
      expect(send.runs).toEqual([])
    })

    const { body: _, ...bodyless } = { ...mail, footer: 'Mira' }

    test.each([
      ['equal', 'yes, send it', withoutTo, mail],
      ['equal and named by its user', 'Yes, send the meeting email', withoutTo, mail],
      ['mostly equal', 'Sign it', { ...withoutTo, footer: 'Best, Mira' }, { ...mail, footer: 'Mira' }],
      ['given only in part', 'yes', { subject: mail.subject }, mail],
      ['half different from a form', 'Hi', { ...withoutTo, footer: 'Best, Mira' }, bodyless],
    ] as const)('to nobody, but with the rest %s, takes its place', async (_, words, call, open) => {
      const { send, second, ...rest } = await askOfNobody(words, call, open)
      await using _scenario = rest.scenario
      expect(second.pending).toMatchObject([{ type: 'input', intent: 1 }])
      expect(second.pending).toHaveLength(1)
      expect(send.runs).toEqual([])
    })

    test('but the same call to somebody else corrects a form, whatever word the message has', async () => {
      const send = recordingTool({ name: 'send_email', parameters, approval: 'always' })
      const { body: _, ...bodyless } = mail
      await using scenario = await startScenario({
        stream,
        tools: [send],
        script: [
          callTool('send_email', bodyless),
          say('What should it say?'),
          callTool('send_email', { ...bodyless, to: 'eva@example.com' }),
          say('What should it say?'),
        ],
      })
      const first = await scenario.run({ input: `Tell ${mail.to} about the meeting.` })
      const second = await write(scenario, 'No, to eva@example.com. The text is undefined.', first)
      expect(second.pending).toMatchObject([{ type: 'input', values: { to: 'eva@example.com' } }])
      expect(second.pending).toHaveLength(1)
    })

    test('ends completed, with what is still open in pending', async () => {
      await using scenario = await startScenario({
        stream,
        tools: [approvedMail()],
        script: [callTool('send_email', mail), say('It is sunny.')],
      })
      const asked = await scenario.run()
      const told = await write(scenario, 'How is the weather?', asked)
      expect(told).toMatchObject({ status: 'completed', text: 'It is sunny.', pending: asked.pending })
    })

    test('which fits two items equally well has an intent of its own', async () => {
      const other = { ...bobs, body: mail.body }
      const send = approvedMail()
      await using scenario = await startScenario({
        stream,
        tools: [send],
        script: [
          callTools([
            ['send_email', mail],
            ['send_email', other],
          ]),
          callTool('send_email', { to: 'eve@example.com', subject: 'Hello', body: mail.body }),
        ],
      })
      const asked = await scenario.run()
      const third = await write(scenario, 'The same to Eve.', asked)
      expect(third.pending?.map(({ intent }) => intent)).toEqual([3, 1, 2])
    })
  })

  describe('two decisions', () => {
    test('on items of different messages both count', async () => {
      const send = approvedMail()
      await using scenario = await startScenario({ stream, tools: [send], script: bothMails })
      const adas = await scenario.run()
      const both = await write(scenario, 'Also send Bob the invoice.', adas)
      const approval = [approvalOf(both, 'approve', 0), approvalOf(both, 'deny', 1)]
      const response = await scenario.resume({ transcript: stored(adas, both), approval })
      expect(response.status).toBe('completed')
      expect(response.pending).toBeUndefined()
      expect(send.runs).toEqual([bobs])
    })

    test('about an older item at once, without a ledger of the caller, execute once', async () => {
      const send = approvedMail()
      await using scenario = await startScenario({
        stream,
        tools: [send],
        script: ({ number }) => (number === 1 ? callTool('send_email', mail) : say('Done.')),
      })
      const asked = await scenario.run({ ledger: undefined })
      const told = await scenario.run({ input: 'Hello', transcript: stored(asked), ledger: undefined })
      const approval = { ...decide(told, 'approve', {}, [asked]), ledger: undefined }
      await Promise.all([scenario.resume(approval), scenario.resume(approval)])
      expect(send.runs).toEqual([mail])
    })
  })

  describe('a call that goes on with an item', () => {
    const start = async (send = approvedMail()) => {
      const scenario = await startScenario({
        stream,
        tools: [send, searchTool()],
        script: [callTool('send_email', mail)],
      })
      return { send, scenario, asked: await scenario.run() }
    }

    test('and is refused closes nothing', async () => {
      const { asked, send, ...rest } = await start()
      await using scenario = rest.scenario
      scenario.use((request) =>
        isLast(request) || request.body.messages.at(-1)?.role === 'tool'
          ? say('I could not.')
          : callTool('send_email', { ...mail, to: ['nobody', 'else'] }),
      )
      const response = await write(scenario, 'Send it to both.', asked)
      const [first] = openItems(stored(asked))
      const closed = response.transcript.filter(
        (entry) => 'itemId' in entry && entry.itemId === first?.itemId,
      )
      // Only the form about it takes its place.
      expect(closed).toMatchObject([{ type: 'closed', as: 'replaced' }])
      expect(response.pending).toMatchObject([{ type: 'input', intent: 1 }])
      expect(send.runs).toEqual([])
    })

    test('and is held back closes nothing', async () => {
      const { asked, ...rest } = await start()
      await using scenario = rest.scenario
      scenario.use((request) =>
        isLast(request) || request.body.messages.at(-1)?.role === 'tool'
          ? say('The search failed.')
          : callTools([
              ['web_search', {}],
              ['send_email', mail],
            ]),
      )
      const response = await write(scenario, 'Search, then send it.', asked)
      expect(response.toolsUsed).toContainEqual(
        expect.objectContaining({
          toolName: 'send_email',
          error: expect.objectContaining({ errorType: 'cancelled' }),
        }),
      )
      expect(openItems(stored(asked, response))).toMatchObject([
        { itemId: asked.pending?.[0]?.itemId },
        ...(response.status === 'needs_input' ? [{ kind: 'input', toolName: 'web_search' }] : []),
      ])
    })

    test.each([
      ['completed', [say('It could not be sent.')]],
      ['failed', [{ status: 500 as const, body: '{}' }]],
    ])('and fails after it has begun is asked anew, also when the run has %s', async (_, rest) => {
      const refuse = () => {
        throw new ToolCallError(toolError('execution_error', 'The mail server refused it.'))
      }
      const send = mailTool({ execute: refuse })
      await using scenario = await startScenario({
        stream,
        tools: [send],
        script: [callTool('send_email', withoutTo), say('To whom?')],
      })
      const asked = await scenario.run()
      let calls = 0
      scenario.use(() => (calls++ === 0 ? callTool('send_email', mail) : (rest[0] as ReturnType<typeof say>)))
      const response = await write(scenario, 'To ada@example.com', asked)
      expect(send.runs).toHaveLength(1)
      expect(response.pending).toMatchObject([{ type: 'input', intent: 1, values: withoutTo }])
      expect(response.pending?.[0]?.itemId).not.toBe(asked.pending?.[0]?.itemId)
      expect(questionsOf(response)).toEqual(questionsOf(asked))
    })
  })

  describe('what is taken over', () => {
    const full = { ...mail, footer: 'Sent by Mira.' }

    const start = async () => {
      const send = recordingTool({ name: 'send_email', parameters, approval: 'always' })
      const scenario = await startScenario({
        stream,
        tools: [send, searchTool()],
        script: [callTool('send_email', full)],
      })
      return { send, scenario, asked: await scenario.run({ input: 'Write to ada@example.com' }) }
    }

    test('is what is required, and nothing that is optional', async () => {
      const { asked, ...rest } = await start()
      await using scenario = rest.scenario
      scenario.use([callTool('send_email', { to: mail.to, body: mail.body })])
      const response = await write(scenario, 'Leave out the footer.', asked)
      expect(response.pending).toMatchObject([{ type: 'approval', intent: 1 }])
      expect(response.pending?.[0]?.values).toEqual(mail)
    })

    test('is never a value that must come from the user', async () => {
      const { asked, send, ...rest } = await start()
      await using scenario = rest.scenario
      scenario.use((request) =>
        isLast(request)
          ? say('To whom?')
          : callTool('send_email', { subject: mail.subject, body: mail.body }),
      )
      const response = await write(scenario, 'Send it.', asked)
      expect(response.pending).toMatchObject([{ type: 'input', intent: 1 }])
      expect(response.pending?.[0]?.values).not.toHaveProperty('to')
      expect(send.runs).toEqual([])
    })

    test('is nothing once something from outside was read since the message', async () => {
      const { asked, send, ...rest } = await start()
      await using scenario = rest.scenario
      let calls = 0
      scenario.use((request) => {
        if (isLast(request)) return say('I could not.')
        return calls++ === 0
          ? callTool('web_search', { query: 'Lunch' })
          : callTool('send_email', { to: mail.to, subject: mail.subject })
      })
      const response = await write(scenario, 'Search, then send it.', asked)
      expect(response.toolsUsed.filter(({ toolName }) => toolName === 'send_email')).toMatchObject([
        { ok: false, error: { errorType: 'missing_parameter' } },
        { ok: false },
        { ok: false },
      ])
      expect(response.pending?.[0]).toMatchObject({ type: 'input', intent: 1 })
      expect(response.pending?.[0]?.values).not.toHaveProperty('body')
      expect(send.runs).toEqual([])
    })

    test('of a long text is what "<as sent>" stands for', async () => {
      const long = { ...mail, body: 'At ten. '.repeat(60).trim() }
      const send = approvedMail()
      await using scenario = await startScenario({
        stream,
        tools: [send],
        script: [
          callTool('send_email', long),
          callTool('send_email', { ...long, subject: 'Lunch', body: '<as sent>' }),
        ],
      })
      const asked = await scenario.run()
      const response = await write(scenario, 'Make the subject Lunch.', asked)
      expect(userText(scenario, 2)).toContain('"body":"<as sent>"')
      expect(response.pending?.[0]?.values).toEqual({ ...long, subject: 'Lunch' })
    })
  })

  describe('waits', () => {
    test('end with a message: the model is told, and the clock finds nothing to do', async () => {
      const search = searchTool({
        execute: () => {
          throw new ToolCallError(
            toolError('rate_limit_exceeded', 'Too many searches.', { retryAfterMs: 60_000 }),
          )
        },
      })
      await using scenario = await startScenario({
        stream,
        tools: [search],
        script: [callTool('web_search', { query: 'a' }), say('All right.')],
      })
      const parked = await scenario.run()
      expect(parked).toMatchObject({ status: 'waiting', pending: [{ type: 'wait' }] })
      const next = await write(scenario, 'Never mind.', parked)
      expect(next.status).toBe('completed')
      expect(next.pending).toBeUndefined()
      expect(userText(scenario, 2)).toBe(
        `(Not from the user: it is 2026-11-21T10:00Z.)\n\n(Not from the user:\n- "Web search" was not done: the user's message ended the wait for it.)\n\nNever mind.`,
      )
      const late = await scenario.resume({ transcript: stored(parked, next) })
      expect(late.transcript).toEqual([])
      expect(search.runs).toHaveLength(1)
    })
  })

  describe('skip', () => {
    test('closes a question: the call is cancelled, and an equal one refused until the next message', async () => {
      const send = mailTool()
      await using scenario = await startScenario({
        stream,
        tools: [send],
        script: [callTool('send_email', withoutTo), say('To whom?')],
      })
      const asked = await scenario.run()
      scenario.use((request) => (isLast(request) ? say('I left it out.') : callTool('send_email', withoutTo)))
      const skip = { itemId: asked.pending?.[0]?.itemId ?? '' }
      const skipped = await scenario.resume({ transcript: stored(asked), skip })
      expect(skipped).toMatchObject({
        status: 'completed',
        text: 'I left it out.',
        toolsUsed: [
          { ok: false, error: { errorType: 'cancelled' } },
          { ok: false, error: { errorType: 'cancelled' }, tries: 0 },
        ],
      })
      expect(skipped.pending).toBeUndefined()
      expect(scenario.lastToolText(3)).toContain('The user chose to go on without this.')
      scenario.use([callTool('send_email', withoutTo), say('To whom?')])
      const next = await write(scenario, 'Send it after all.', asked, skipped)
      expect(next.status).toBe('needs_input')
    })

    test('closes a connection: other calls go on', async () => {
      const missing = toolError('not_configured', 'Question: Please connect your mail account.')
      const send = { ...mailTool(), requirement: () => missing }
      const approved = { ...send, specification: { ...send.specification, approval: 'always' as const } }
      await using scenario = await startScenario({
        stream,
        tools: [approved, searchTool()],
        script: [callTool('send_email', mail), callTool('web_search', { query: 'a' }), say('Found.')],
      })
      const asked = await scenario.run()
      expect(asked.status).toBe('needs_connection')
      const skipped = await scenario.resume({ transcript: stored(asked), skip: { toolCallId: idOf(asked) } })
      expect(skipped).toMatchObject({ status: 'completed', text: 'Found.' })
      expect(skipped.pending).toBeUndefined()
      expect(JSON.stringify(scenario.requests[1]?.body.messages)).toContain('Go on without this')
    })

    test('is nothing for an approval', async () => {
      await using scenario = await startScenario({
        stream,
        tools: [approvedMail()],
        script: [callTool('send_email', mail)],
      })
      const asked = await scenario.run()
      const skip = { itemId: asked.pending?.[0]?.itemId ?? '' }
      expect(await scenario.resume({ transcript: stored(asked), skip })).toMatchObject({
        status: 'needs_approval',
        transcript: [],
      })
    })
  })

  describe('an approval that is pressed too late', () => {
    test('asks anew, under another id; a no still counts', async () => {
      const send = approvedMail()
      await using scenario = await startScenario({
        stream,
        tools: [send],
        script: ({ number }) => (number === 1 ? callTool('send_email', mail) : say('Done.')),
      })
      const asked = await scenario.run()
      const { expiresAt = '' } = asked.pending?.[0] ?? {}
      expect(Date.parse(expiresAt) - scenario.clock.now()).toBe(7 * 24 * 3_600_000)
      scenario.clock.advance(7 * 24 * 3_600_000)
      const late = await scenario.resume(decide(asked, 'approve'))
      expect(send.runs).toEqual([])
      expect(late).toMatchObject({ status: 'needs_approval', pending: [{ intent: 1, values: mail }] })
      expect(late.pending).toHaveLength(1)
      expect(questionsOf(late)).toEqual(questionsOf(asked))
      expect(late.pending?.[0]?.approvalId).not.toBe(asked.pending?.[0]?.approvalId)
      expect((await scenario.resume(decide(asked, 'deny'))).status).toBe('completed')
      expect((await scenario.resume(decide(late, 'approve', {}, [asked]))).status).toBe('completed')
      expect(send.runs).toEqual([mail])
    })

    test('of an unknown outcome never is too late', async () => {
      const send = lostMail()
      await using scenario = await startScenario({
        stream,
        tools: [send],
        script: ({ number }) => (number === 1 ? callTool('send_email', mail) : say('Sent.')),
      })
      const asked = await scenario.run()
      expect(asked.pending?.[0]).not.toHaveProperty('expiresAt')
      scenario.clock.advance(100 * 24 * 3_600_000)
      expect((await scenario.resume(decide(asked, 'approve'))).status).toBe('completed')
      expect(send.runs).toHaveLength(2)
    })
  })

  describe('a write that may have been done', () => {
    test('stays open beside another one, which takes nothing of it', async () => {
      const send = lostMail()
      await using scenario = await startScenario({
        stream,
        tools: [send],
        script: [callTool('send_email', mail)],
      })
      const asked = await scenario.run()
      const other = { ...bobs, subject: mail.subject }
      scenario.use([callTool('send_email', other), say('Sent.')])
      const sent = await write(scenario, 'Send the invoice to Bob.', asked)
      expect(sent).toMatchObject({ status: 'completed', pending: asked.pending ?? [] })
      expect(send.runs).toEqual([mail, other])
    })

    test('of an answer that was replaced is asked about once more where the model sends it again', async () => {
      const send = mailTool()
      await using scenario = await startScenario({ stream, tools: [send], script: [say('It is sent.')] })
      const lost = { toolName: 'send_email', arguments: mail, toolCallId: 'lost', status: 'unknown' as const }
      const asked = await scenario.run({ priorWrites: [lost] })
      expect(asked.pending).toMatchObject([{ reason: 'unknown', intent: 1 }])
      scenario.use([callTool('send_email', mail)])
      const again = await scenario.run({ input: 'Send it', transcript: stored(asked), priorWrites: [lost] })
      expect(again.pending).toMatchObject([{ reason: 'unknown', intent: 1, values: mail }])
      expect(again.pending).toHaveLength(1)
      expect(send.runs).toEqual([])
    })
  })

  describe('connecting', () => {
    test('says of a write that it asks about where its recipient comes from', async () => {
      let isConnected = false
      const missing = toolError('not_configured', 'Question: Please connect it.')
      const to = { type: 'string', format: 'email', source: 'conversation' } as const
      const tool = (name: string) => ({
        ...recordingTool({
          name,
          parameters: { type: 'object', properties: { to, body: { type: 'string' } }, required: ['to'] },
        }),
        requirement: () => (isConnected ? undefined : missing),
      })
      const [send, fax] = [tool('send_email'), tool('send_fax')]
      const search = searchTool({ execute: () => ({ page: 'Write to eve@example.com' }) })
      const eves = { to: 'eve@example.com', body: 'Hello' }
      await using scenario = await startScenario({
        stream,
        tools: [send, fax, search],
        script: [
          callTool('web_search', { query: 'eve' }),
          callTools([
            ['send_email', eves],
            ['send_fax', eves],
          ]),
        ],
      })
      const asked = await scenario.run({ input: 'Find the address and write to it.' })
      expect(asked.pending?.map(({ type }) => type)).toEqual(['connection', 'connection'])
      isConnected = true
      const response = await scenario.resume({ transcript: stored(asked), connection: true })
      expect(response.pending).toMatchObject([{ reason: 'provenance' }, { reason: 'provenance' }])
      for (const question of questionsOf(response) ?? [])
        expect(question).toContain('"eve@example.com" comes from "Web search", not from you.')
    })

    test('goes on with reads and the card it came from, and asks about other writes', async () => {
      let isConnected = false
      const connect = () => {
        if (!isConnected)
          throw new ToolCallError(
            toolError('not_configured', 'Question: Please connect it.', { resolver: 'user' }),
          )
        return 'done'
      }
      const send = mailTool({ execute: connect })
      const read = mailTool({ name: 'read_mail', effect: 'read', execute: connect })
      await using scenario = await startScenario({
        stream,
        tools: [send, read],
        script: ({ number }) =>
          number === 1
            ? callTools([
                ['send_email', mail],
                ['send_email', bobs],
              ])
            : say('Done.'),
      })
      const asked = await scenario.run()
      expect(asked.pending?.map(({ type }) => type)).toEqual(['connection', 'connection'])
      isConnected = true
      const before = send.runs.length
      const response = await scenario.resume({
        transcript: stored(asked),
        connection: { itemId: asked.pending?.[1]?.itemId ?? '' },
      })
      expect(send.runs.slice(before)).toEqual([bobs])
      expect(response).toMatchObject({
        status: 'needs_approval',
        pending: [{ type: 'approval', reason: 'consent', intent: 1, values: mail }],
      })
      const unnamed = await scenario.resume({ transcript: stored(asked), connection: true })
      expect(unnamed.pending?.map(({ type }) => type)).toEqual(['approval', 'approval'])
      expect(send.runs.slice(before)).toEqual([bobs])
    })
  })
})

describe('what the model reads of it', () => {
  test('is one line for each item before the message of the user, with the call as it should be sent', async () => {
    const send = mailTool({ approval: 'always', title: 'Send an email' })
    const note = mailTool({ name: 'send_note', title: 'Send a note' })
    const missing = toolError('not_configured', 'Question: Please connect it.')
    const post = { ...mailTool({ name: 'post_it', approval: 'always' }), requirement: () => missing }
    const fax = lostMail({ name: 'send_fax' })
    await using scenario = await startScenario({
      stream: false,
      tools: [send, note, post, fax],
      script: [
        callTools([
          ['send_email', mail],
          ['post_it', mail],
          ['send_fax', mail],
        ]),
        callTool('send_note', withoutTo),
        say('Who should get the note?'),
        say('Fine.'),
      ],
    })
    const first = await scenario.run()
    const second = await write(scenario, 'And a note.', first)
    await write(scenario, 'How is the weather?', first, second)
    expect(userText(scenario, 4)).toMatchInlineSnapshot(`
      "(Not from the user: it is 2026-11-21T10:00Z.)

      (Not from the user:
      Still open in this conversation:
      - "Send an email" waits for the user to approve it: send_email {"to":"ada@example.com","subject":"Meeting","body":"At ten."}
      - "Post it" waits for the user to connect an account: post_it {"to":"ada@example.com","subject":"Meeting","body":"At ten."}
      - "Send fax" may have been done; the user decides whether to do it again: send_fax {"to":"ada@example.com","subject":"Meeting","body":"At ten."}
      - "Send a note" waits for the user to answer "Who should I send this email to? Please provide the recipient email address.": send_note {"to":"<recipient email address>","subject":"Meeting","body":"At ten."}
      If the message below answers or changes one of these, call its tool again, with the whole call as it should be now. Otherwise leave it alone: the user can still decide about it. Words approve nothing, not even "yes": only the button does.)

      How is the weather?"
    `)
  })
})

/** What an arbitrary conversation does next. */
const next = fc.oneof(
  fc.record({ does: fc.constant('write' as const), calls: fc.array(fc.nat({ max: 5 }), { maxLength: 3 }) }),
  fc.record({
    does: fc.constantFrom(
      'approve' as const,
      'deny' as const,
      'answer' as const,
      'skip' as const,
      'connect' as const,
      'clock' as const,
    ),
    which: fc.nat({ max: 3 }),
    days: fc.constantFrom(0, 0, 0, 8),
    calls: fc.array(fc.nat({ max: 5 }), { maxLength: 2 }),
  }),
)
const possible: (readonly [string, object])[] = [
  ['send_email', mail],
  ['send_email', withoutTo],
  ['send_email', bobs],
  ['save_note', { text: 'Hello' }],
  ['save_note', {}],
  ['web_search', { query: 'a' }],
]

test('after every entry the fold knows what the projection says is open, and no intent has two open items', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(next, { minLength: 1, maxLength: 6 }), async (steps) => {
      let times = 0
      const unsteady = () => {
        const turn = times++ % 4
        if (turn === 1) throw new Error('lost')
        if (turn === 2)
          throw new ToolCallError(
            toolError('not_configured', 'Question: Please connect it.', { resolver: 'user' }),
          )
        return 'done'
      }
      const tools = [
        approvedMail(unsteady),
        recordingTool({
          name: 'save_note',
          effect: 'write',
          parameters: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
          execute: unsteady,
        }),
        searchTool({
          execute: () => {
            if (times++ % 2 === 0)
              throw new ToolCallError(toolError('rate_limit_exceeded', 'Too many.', { retryAfterMs: 60_000 }))
            return 'found'
          },
        }),
      ]
      await using scenario = await startScenario({ stream: false, tools, script: [] })
      const specifications = new Map(tools.map(({ specification }) => [specification.name, specification]))
      const transcript: Entry[] = []
      for (const step of steps) {
        let asked = 0
        scenario.use((request) =>
          isLast(request) || asked++ > 0 || step.calls.length === 0
            ? say('Fine.')
            : callTools(step.calls.map((call) => possible[call] ?? ['web_search', {}])),
        )
        const items = openItems(transcript)
        const item = 'which' in step ? items[step.which % Math.max(1, items.length)] : undefined
        if ('days' in step) scenario.clock.advance(step.days * 24 * 3_600_000)
        const about = { itemId: item?.itemId ?? '' }
        const from = { transcript: JSON.parse(JSON.stringify(transcript)) as Entry[] }
        if (transcript.length === 0 || step.does === 'write') {
          transcript.push(...(await scenario.run({ ...from, input: 'Go on.' })).transcript)
          continue
        }
        const given = {
          approve: {
            approval: {
              toolCallId: item?.toolCallId ?? '',
              approvalId: about.itemId,
              decision: 'approve' as const,
            },
          },
          deny: {
            approval: {
              toolCallId: item?.toolCallId ?? '',
              approvalId: about.itemId,
              decision: 'deny' as const,
            },
          },
          answer: { answer: { ...about, values: { to: 'eve@example.com', text: 'Typed.' } } },
          skip: { skip: about },
          connect: { connection: about },
          clock: {},
        }[step.does]
        transcript.push(...(await scenario.resume({ ...from, ...given })).transcript)
      }
      const state = emptyLoopState(specifications)
      for (const [index, entry] of transcript.entries()) {
        applyEntry(state, entry)
        const open = openItems(transcript.slice(0, index + 1))
        expect([...state.items.values()].map(({ question }) => question)).toEqual(open)
        const intents = open.map(({ intent }) => intent).filter((intent) => intent > 0)
        expect(new Set(intents).size).toBe(intents.length)
      }
    }),
    { numRuns: isTestAll ? 60 : 20 },
  )
})
