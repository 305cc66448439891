import { expect, test } from 'vitest'
import { mailTool, recordingTool, searchTool, startScenario } from '../../../support/agent-scenario.ts'
import { callTool, callTools, type ModelServerRequest, say } from '../../../support/model-server.ts'
import { plainAndStreamed } from './plain-and-streamed.ts'

/** A mail of its own for each recipient: with half of its values equal it would be the same mail in other words. */
const mailTo = (to: string) => ({ to, subject: `Meeting with ${to}`, body: `At ten, ${to}.` })

function toolTexts(request: ModelServerRequest | undefined): string[] {
  return (request?.body.messages ?? [])
    .filter(({ role }) => role === 'tool')
    .map(({ content }) => String(content))
}

plainAndStreamed('rounds', (stream) => {
  test('reads run first and in parallel, then writes in parallel', async () => {
    const order: string[] = []
    const waiting: (() => void)[] = []
    /** Resolves when two calls of its kind have begun: only calls that run in parallel get there. */
    const together = (name: string) =>
      new Promise<string>((resolve) => {
        order.push(name)
        waiting.push(() => resolve(name))
        if (waiting.length === 2) for (const release of waiting.splice(0)) release()
      })
    const search = searchTool({ execute: () => together('read') })
    const mail = mailTool({ execute: () => together('write') })
    await using scenario = await startScenario({
      stream,
      tools: [mail, search],
      script: [
        callTools([
          ['send_email', mailTo('ada@example.com')],
          ['web_search', { query: 'a' }],
          ['send_email', mailTo('bob@example.com')],
          ['web_search', { query: 'b' }],
        ]),
        say('Done.'),
      ],
    })
    const response = await scenario.run()
    expect(order).toEqual(['read', 'read', 'write', 'write'])
    expect(response.toolsUsed.map(({ toolName }) => toolName)).toEqual([
      'web_search',
      'web_search',
      'send_email',
      'send_email',
    ])
  })

  test('of thousands of calls in one answer the first 32 run, a few at a time, and the model is told', async () => {
    let running = 0
    let most = 0
    const mail = mailTool({
      execute: async () => {
        most = Math.max(most, ++running)
        await new Promise((resolve) => setImmediate(resolve))
        running--
        return 'sent'
      },
    })
    const calls = Array.from({ length: 2500 }, (_, n) => ['send_email', mailTo(`a${n}@example.com`)] as const)
    await using scenario = await startScenario({
      stream,
      tools: [mail],
      // The first sixteen are asked for twice.
      script: [callTools([...calls.slice(0, 16), ...calls.slice(0, 16), ...calls.slice(32)]), say('Done.')],
    })
    const response = await scenario.run()
    expect(response.toolsUsed.filter(({ ok }) => ok)).toHaveLength(16)
    expect(response.toolsUsed.filter(({ error }) => error?.errorType === 'cancelled')).toHaveLength(16)
    expect(mail.runs).toEqual(calls.slice(0, 16).map(([, args]) => args))
    expect(most).toBe(8)
    const told = toolTexts(scenario.requests[1])
    expect(told).toHaveLength(32)
    const leftOut = 'Only the first 32 of 2,500 calls were run.'
    expect(told.filter((text) => text.endsWith(`\n\n${leftOut}`))).toHaveLength(1)
    expect(told.at(-1)).toContain(leftOut)
    expect(scenario.events.filter(({ type }) => type === 'input-start')).toHaveLength(stream ? 32 : 0)
  })

  test('writes are held back when a read of their round failed, without costing an attempt', async () => {
    const mail = mailTool()
    const search = searchTool()
    await using scenario = await startScenario({
      stream,
      tools: [mail, search],
      script: [
        callTools([
          ['send_email', mailTo('ada@example.com')],
          ['web_search', {}],
        ]),
        callTools([
          ['web_search', { query: 'meeting' }],
          ['send_email', mailTo('ada@example.com')],
        ]),
        say('Done.'),
      ],
    })
    const response = await scenario.run()
    const [held] = toolTexts(scenario.requests[1])
    expect(held).toMatch(/^Not carried out, because "Web search" .* failed/)
    expect(held).not.toContain('attempt')
    expect(mail.runs).toEqual([mailTo('ada@example.com')])
    expect(response.toolsUsed).toMatchObject([
      { toolName: 'web_search', ok: false, attempt: 1 },
      { toolName: 'send_email', ok: false, error: { errorType: 'cancelled', resolver: 'model' } },
      { toolName: 'web_search', ok: true, attempt: 2 },
      { toolName: 'send_email', ok: true, attempt: 1 },
    ])
    expect(scenario.ledger.rows.map(({ status }) => status)).toEqual([
      'rejected',
      'cancelled',
      'succeeded',
      'succeeded',
    ])
  })

  test('one bad write disturbs neither its siblings nor itself: the good one is not run again', async () => {
    const mail = mailTool()
    await using scenario = await startScenario({
      stream,
      tools: [mail, searchTool()],
      script: [
        callTools([
          ['send_email', mailTo('ada@example.com')],
          ['send_email', { subject: 'Meeting', body: 'At ten.' }],
          ['web_search', { query: 'meeting' }],
        ]),
        callTool('send_email', mailTo('bob@example.com')),
        say('Done.'),
      ],
    })
    const response = await scenario.run({ input: 'Invite ada@example.com and bob@example.com.' })
    expect(mail.runs).toEqual([mailTo('ada@example.com'), mailTo('bob@example.com')])
    expect(response.status).toBe('completed')
  })

  test('the same write twice in one round runs once, whatever the order of its keys', async () => {
    const mail = mailTool()
    const { to, subject, body } = mailTo('ada@example.com')
    await using scenario = await startScenario({
      stream,
      tools: [mail],
      script: [
        callTools([
          ['send_email', { to, subject, body }],
          ['send_email', { body, subject, to }],
        ]),
        say('Done.'),
      ],
    })
    const response = await scenario.run()
    expect(mail.runs).toHaveLength(1)
    expect(response.toolsUsed.map(({ ok }) => ok)).toEqual([true, false])
    expect(toolTexts(scenario.requests[1])[1]).toContain('Not carried out a second time')
    expect(scenario.ledger.rows.map(({ status }) => status).sort()).toEqual(['cancelled', 'succeeded'])
  })

  test('the same faulty call twice in one round is one intent', async () => {
    const faulty = { subject: 'Meeting', body: 'At ten.' }
    await using scenario = await startScenario({
      stream,
      tools: [mailTool()],
      script: [
        callTools([
          ['send_email', faulty],
          ['send_email', faulty],
        ]),
        callTool('send_email', mailTo('ada@example.com')),
        say('Done.'),
      ],
    })
    const response = await scenario.run()
    expect(response.status).toBe('completed')
  })

  test('a write repeated in a later round gets the first result back', async () => {
    const mail = mailTool()
    await using scenario = await startScenario({
      stream,
      tools: [mail],
      script: [
        callTool('send_email', mailTo('ada@example.com')),
        callTool('send_email', mailTo('ada@example.com')),
        say('Done.'),
      ],
    })
    const response = await scenario.run()
    expect(mail.runs).toHaveLength(1)
    expect(response.toolsUsed.map(({ ok, output }) => ({ ok, output }))).toEqual([
      { ok: true, output: { done: 1 } },
      { ok: true, output: { done: 1 } },
    ])
    expect(scenario.lastToolText(3)).toContain('not carried out a second time')
    expect(scenario.lastToolText(3)).toContain('{"done":1}')
  })

  test('a read runs again', async () => {
    const search = searchTool()
    await using scenario = await startScenario({
      stream,
      tools: [search],
      script: [callTool('web_search', { query: 'a' }), callTool('web_search', { query: 'a' }), say('Done.')],
    })
    await scenario.run()
    expect(search.runs).toHaveLength(2)
  })

  test('a provider that repeats its tool call ids does no harm', async () => {
    const mail = mailTool()
    await using scenario = await startScenario({
      stream,
      tools: [mail],
      script: [
        {
          toolCalls: [
            { id: 'same', name: 'send_email', arguments: JSON.stringify(mailTo('ada@example.com')) },
            { id: 'same', name: 'send_email', arguments: JSON.stringify(mailTo('bob@example.com')) },
          ],
          // Some stream parsers of servers merge fragments by id; the index keeps them apart.
          fragments: { interleave: true },
        },
        {
          toolCalls: [
            { id: 'same', name: 'send_email', arguments: JSON.stringify(mailTo('eve@example.com')) },
          ],
        },
        say('Done.'),
      ],
    })
    const response = await scenario.run()
    expect(mail.runs).toHaveLength(3)
    expect(new Set(response.toolsUsed.map(({ toolCallId }) => toolCallId)).size).toBe(3)
  })

  test('a write of unknown kind is not confused with a read: both run', async () => {
    const note = recordingTool({ name: 'take_note', parameters: { type: 'object', properties: {} } })
    await using scenario = await startScenario({
      stream,
      tools: [note],
      script: [callTool('take_note', ''), say('Noted.')],
    })
    await scenario.run()
    expect(note.specification.effect).toBe('write')
    expect(note.runs).toEqual([{}])
  })
})
