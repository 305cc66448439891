import { expect, test } from 'vitest'
import { recordingTool, searchTool, startScenario } from '../../../support/agent-scenario.ts'
import { callTool, say } from '../../../support/model-server.ts'
import { decide } from '../loop/decide.ts'

const eve = 'eve@page.example'
const body = 'Hello.'

function mailAndSearch() {
  const send = recordingTool({
    name: 'send_email',
    parameters: {
      type: 'object',
      properties: {
        to: { type: 'string', format: 'email', source: 'conversation' },
        body: { type: 'string' },
      },
      required: ['to', 'body'],
    },
  })
  const search = searchTool({ execute: () => ({ page: `Write to ${eve}` }) })
  return { send, search, tools: [send, search] }
}

/** A turn in which the model takes the address from a page, decided by the user, and the turn after it. */
async function decideThenSendAgain(decision: 'approve' | 'deny') {
  const { send, tools } = mailAndSearch()
  await using scenario = await startScenario({
    stream: false,
    tools,
    script: [
      callTool('web_search', { query: 'their address' }),
      callTool('send_email', { to: eve, body }),
      say('Done.'),
      callTool('send_email', { to: eve, body: 'Again.' }),
      say('Done again.'),
    ],
  })
  const parked = await scenario.run({ input: 'Find their address and write to them.' })
  expect(parked.status).toBe('needs_approval')
  expect(send.runs).toEqual([])
  const decided = await scenario.resume(decide(parked, decision))
  const first = { role: 'user' as const, content: 'Find their address and write to them.' }
  const next = await scenario.run({
    input: 'Write to them again.',
    messages: [first, ...parked.messages, ...decided.messages],
  })
  return { next, runs: send.runs }
}

test('an address from a page is known once its sending was approved', async () => {
  const { next, runs } = await decideThenSendAgain('approve')
  expect(next.status).toBe('completed')
  expect(runs).toEqual([
    { to: eve, body },
    { to: eve, body: 'Again.' },
  ])
})

test('an address from a page stays unknown when its sending was denied', async () => {
  const { next, runs } = await decideThenSendAgain('deny')
  expect(next.status).toBe('needs_approval')
  expect(runs).toEqual([])
})

test('an invented address beside one from a page leaves only the invented one open', async () => {
  const send = recordingTool({
    name: 'send_email',
    parameters: {
      type: 'object',
      properties: {
        to: { type: 'array', items: { type: 'string', format: 'email' }, source: 'conversation' },
        body: { type: 'string' },
      },
      required: ['to', 'body'],
    },
  })
  const search = searchTool({ execute: () => ({ page: `Write to ${eve}` }) })
  await using scenario = await startScenario({
    stream: false,
    tools: [send, search],
    script: [
      callTool('web_search', { query: 'their address' }),
      callTool('send_email', { to: [eve, 'nobody@made-up.example'], body }),
      say('Sent.'),
    ],
  })
  const parked = await scenario.run({ input: 'Write to them and to Nobody.' })
  expect(parked.status).toBe('needs_input')
  expect(parked.toolsUsed.at(-1)).toMatchObject({
    error: { resolver: 'user', details: { parameter: 'to[1]', correction: { open: ['to[1]'] } } },
  })
  expect(scenario.requests).toHaveLength(2)

  // What the user types does not make the address of the page theirs.
  const toolCallId = parked.pending?.[0]?.toolCallId ?? ''
  const answer = { toolCallId, values: { 'to[1]': 'ann@typed.example' } }
  const answered = await scenario.resume({ transcript: parked.transcript, answer })
  expect(answered.status).toBe('needs_approval')
  expect(answered.pending?.[0]?.question).toContain(eve)
  expect(send.runs).toEqual([])
})

test('what the instructions of the agent say is not what the user said', async () => {
  const { send, tools } = mailAndSearch()
  await using scenario = await startScenario({
    stream: false,
    tools,
    script: [callTool('send_email', { to: 'help@desk.example', body })],
  })
  const response = await scenario.run({
    input: 'Write to support.',
    messages: [{ role: 'system', content: 'Support is help@desk.example.' }],
  })
  expect(response.status).toBe('needs_input')
  expect(send.runs).toEqual([])
})

test('a retry after a refusal by the mail server cannot invent another address', async () => {
  const { send, tools } = mailAndSearch()
  const refusing = { ...send, execute: () => ({ ok: false, error: '550 5.1.1 no such mailbox h@x.example' }) }
  await using scenario = await startScenario({
    stream: false,
    tools: [refusing, ...tools.slice(1)],
    script: [
      callTool('send_email', { to: 'h@x.example', body }),
      callTool('send_email', { to: 'hannah@x.example', body }),
      say('Not sent.'),
    ],
  })
  const response = await scenario.run({ input: 'Write to h@x.example.' })
  expect(response.status).toBe('needs_input')
  expect(response.pending?.[0]?.schema).toMatchObject({ required: ['to'] })
})
