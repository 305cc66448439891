import { expect, test } from 'vitest'
import { Changed } from '../../../shared/engine/core/tool-error.ts'
import { mailTool, startScenario } from '../../../support/agent-scenario.ts'
import { askingTool, formRequest, pageRequest } from '../../../support/asking-tool.ts'
import { callTool, say } from '../../../support/model-server.ts'
import { decide, stored } from './decide.ts'
import { plainAndStreamed } from './plain-and-streamed.ts'

const book = callTool('trips__book', { to: 'Lisbon' })
const seat = formRequest('Which seat?', { seat: { type: 'string', enum: ['aisle', 'window'] } }, ['seat'])
const asksOnce = () =>
  askingTool((reply) => (reply ? undefined : { requests: { seat }, state: 'opaque-state' }))

plainAndStreamed('what a server asks', (stream) => {
  const start = (tools: Parameters<typeof startScenario>[0]['tools'], words = 'Booked.') =>
    startScenario({ stream, tools, script: [book, say(words)] })

  test('what a server asks is a form with its host first, and the answer goes with the same call', async () => {
    const tool = asksOnce()
    await using scenario = await start([tool])
    const parked = await scenario.run({ input: 'Book a trip to Lisbon.' })
    expect(parked).toMatchObject({
      status: 'needs_input',
      pending: [
        {
          type: 'input',
          code: 'server_asks',
          question: 'Question: example.com asks: "Which seat?" Never enter passwords or codes here.',
          server: { host: 'example.com', requests: [{ message: 'Which seat?', fields: ['seat'] }] },
          schema: { properties: { seat: { title: 'seat', enum: ['aisle', 'window'] } }, required: ['seat'] },
          values: { to: 'Lisbon' },
        },
      ],
    })
    expect(parked.pending?.[0]?.approvalId).toBeUndefined()
    const answer = { itemId: parked.pending?.[0]?.itemId ?? '', values: { seat: 'aisle' } }
    const response = await scenario.resume({ transcript: stored(parked), answer })
    expect(response).toMatchObject({
      status: 'completed',
      toolsUsed: [{ ok: true, output: { booked: true } }],
    })
    expect(tool.runs).toEqual([{ to: 'Lisbon' }, { to: 'Lisbon' }])
    expect(tool.replies).toEqual([
      undefined,
      { state: 'opaque-state', responses: { seat: { action: 'accept', content: { seat: 'aisle' } } } },
    ])
  })

  test('neither the state nor the answer reaches a model, and the state no client', async () => {
    const tool = askingTool((reply) =>
      reply ? undefined : { requests: { name: nameRequest }, state: 'opaque-state' },
    )
    await using scenario = await start([tool])
    const parked = await scenario.run({ input: 'Book a trip to Lisbon.' })
    expect(JSON.stringify([parked.pending, parked.toolsUsed, parked.messages, parked.text])).not.toContain(
      'opaque',
    )
    const answer = { itemId: parked.pending?.[0]?.itemId ?? '', values: { name: 'Canary Jones' } }
    const response = await scenario.resume({ transcript: stored(parked), answer })
    expect(tool.replies[1]?.responses).toEqual({
      name: { action: 'accept', content: { name: 'Canary Jones' } },
    })
    const read = JSON.stringify([scenario.requests, response.messages, response.toolsUsed])
    expect(read).not.toMatch(/Canary|opaque-state/)
    expect(read).toContain('I have answered example.com there')
  })

  const nameRequest = formRequest('Who travels?', { name: { type: 'string' } })

  test('a declined question is declined at the server, which may do without it', async () => {
    const tool = asksOnce()
    await using scenario = await start([tool])
    const parked = await scenario.run({ input: 'Book a trip to Lisbon.' })
    const skip = { itemId: parked.pending?.[0]?.itemId ?? '' }
    const response = await scenario.resume({ transcript: stored(parked), skip })
    expect(response.status).toBe('completed')
    expect(tool.replies[1]?.responses).toEqual({ seat: { action: 'decline' } })
  })

  test('a server that asks the same again after it was declined has had its answer', async () => {
    const tool = askingTool(() => ({ requests: { seat } }))
    await using scenario = await start([tool], 'It was not booked.')
    const parked = await scenario.run({ input: 'Book a trip to Lisbon.' })
    const skip = { itemId: parked.pending?.[0]?.itemId ?? '' }
    const response = await scenario.resume({ transcript: stored(parked), skip })
    expect(response).toMatchObject({ status: 'completed', pending: undefined })
    expect(tool.replies).toHaveLength(2)
  })

  test('a server may ask several times in a row', async () => {
    const tool = askingTool((_, attempt) =>
      attempt < 6 ? { requests: { seat }, state: `s${attempt}` } : undefined,
    )
    await using scenario = await start([tool])
    let last = await scenario.run({ input: 'Book a trip to Lisbon.' })
    const all = [last]
    for (let round = 1; round < 6; round++) {
      const answer = { itemId: last.pending?.[0]?.itemId ?? '', values: { seat: 'aisle' } }
      last = await scenario.resume({ transcript: stored(...all), answer })
      all.push(last)
    }
    expect(last.status).toBe('completed')
    expect(tool.replies.map((reply) => reply?.state)).toEqual([undefined, 's1', 's2', 's3', 's4', 's5'])
  })

  test('the same answer given twice reaches the server once', async () => {
    const tool = asksOnce()
    await using scenario = await start([tool])
    const parked = await scenario.run({ input: 'Book a trip to Lisbon.' })
    const answer = { itemId: parked.pending?.[0]?.itemId ?? '', values: { seat: 'aisle' } }
    const response = await scenario.resume({ transcript: stored(parked), answer })
    await scenario.resume({ transcript: stored(parked, response), answer })
    expect(tool.replies).toHaveLength(2)
  })

  test('an answer that does not fit the form is asked for again, and nothing is sent', async () => {
    const tool = asksOnce()
    await using scenario = await start([tool])
    const parked = await scenario.run({ input: 'Book a trip to Lisbon.' })
    const answer = { itemId: parked.pending?.[0]?.itemId ?? '', values: { seat: 'roof' } }
    const again = await scenario.resume({ transcript: stored(parked), answer })
    expect(again.status).toBe('needs_input')
    expect(again.pending?.[0]?.question).toContain('“seat” does not fit yet.')
    expect(tool.replies).toHaveLength(1)
  })

  test('a page is shown with its host, and to have been there is the answer', async () => {
    const requests = { sign: pageRequest('Please sign.', 'https://sign.example.net/d/1') }
    const tool = askingTool((reply) => (reply ? undefined : { requests }))
    await using scenario = await start([tool])
    const parked = await scenario.run({ input: 'Book a trip to Lisbon.' })
    expect(parked.pending?.[0]).toMatchObject({
      asked: 'example.com asks to open a page of sign.example.net: "Please sign."',
      server: { requests: [{ url: 'https://sign.example.net/d/1', fields: [] }] },
      schema: { properties: {} },
    })
    const answer = { itemId: parked.pending?.[0]?.itemId ?? '', values: {} }
    await scenario.resume({ transcript: stored(parked), answer })
    expect(tool.replies[1]).toEqual({ responses: { sign: { action: 'accept' } } })
  })

  test('an approved call that its server asks about is not approved twice', async () => {
    const tool = askingTool((reply) => (reply ? undefined : { requests: { seat } }), { approval: 'always' })
    await using scenario = await start([tool])
    const asked = await scenario.run({ input: 'Book a trip to Lisbon.' })
    const parked = await scenario.resume(decide(asked, 'approve'))
    expect(parked.status).toBe('needs_input')
    const answer = { itemId: parked.pending?.[0]?.itemId ?? '', values: { seat: 'aisle' } }
    const response = await scenario.resume({ transcript: stored(asked, parked), answer })
    expect(response.status).toBe('completed')
    expect(tool.replies).toHaveLength(2)
  })

  test('a call that has to be approved anew after it was answered takes the answer with it, too', async () => {
    const tool = askingTool((reply) => (reply ? undefined : { requests: { seat }, state: 's' }), {
      approval: 'always',
    })
    let isChanged = true
    const careful = {
      ...tool,
      execute(args: Record<string, unknown>, context: Parameters<typeof tool.execute>[1]) {
        if (!context.reply || !isChanged) return tool.execute(args, context)
        isChanged = false
        throw new Changed([{ what: 'definition', before: 1, now: 2 }])
      },
    }
    await using scenario = await start([careful])
    const asked = await scenario.run({ input: 'Book a trip to Lisbon.' })
    const parked = await scenario.resume(decide(asked, 'approve'))
    const answer = { itemId: parked.pending?.[0]?.itemId ?? '', values: { seat: 'aisle' } }
    const again = await scenario.resume({ transcript: stored(asked, parked), answer })
    expect(again).toMatchObject({ status: 'needs_approval', pending: [{ type: 'approval' }] })
    expect(again.pending?.[0]?.server).toBeUndefined()
    const done = await scenario.resume(decide(again, 'approve', {}, [asked, parked]))
    expect(done.status).toBe('completed')
    expect(tool.replies.at(-1)).toMatchObject({ state: 's', responses: { seat: { action: 'accept' } } })
  })

  test('what the user tells a server counts as said to nobody else', async () => {
    const tool = askingTool((reply) => (reply ? undefined : { requests: { mail: addressRequest } }))
    const send = mailTool({
      parameters: {
        type: 'object',
        properties: { to: { type: 'string', format: 'email', source: 'conversation' } },
        required: ['to'],
      },
    })
    await using scenario = await startScenario({
      stream,
      tools: [tool, send],
      script: [book, callTool('send_email', { to: 'ada@example.org' }), say('Done.')],
    })
    const parked = await scenario.run({ input: 'Book a trip to Lisbon.' })
    const answer = { itemId: parked.pending?.[0]?.itemId ?? '', values: { address: 'ada@example.org' } }
    const response = await scenario.resume({ transcript: stored(parked), answer })
    expect(response.status).toBe('needs_input')
    expect(send.runs).toEqual([])
  })

  const addressRequest = formRequest('Where to?', { address: { type: 'string', format: 'email' } })

  test('a call that must wait after it was answered takes the answer with it', async () => {
    let tries = 0
    const tool = askingTool((reply) => (reply ? undefined : { requests: { seat }, state: 's' }))
    const execute = tool.execute
    const slow = {
      ...tool,
      execute(args: Record<string, unknown>, context: Parameters<typeof execute>[1]) {
        if (context.reply && tries++ === 0)
          return { ok: false, error: 'Too many requests', status: 429, retryAfter: 600 }
        return execute(args, context)
      },
    }
    await using scenario = await start([slow])
    const parked = await scenario.run({ input: 'Book a trip to Lisbon.' })
    const answer = { itemId: parked.pending?.[0]?.itemId ?? '', values: { seat: 'aisle' } }
    const waiting = await scenario.resume({ transcript: stored(parked), answer })
    expect(waiting.status).toBe('waiting')
    await scenario.resume({ transcript: stored(parked, waiting) })
    expect(tool.replies.at(-1)).toMatchObject({ state: 's', responses: { seat: { action: 'accept' } } })
  })
})
