import { describe, expect, test } from 'vitest'
import { recordingTool, startScenario } from '../../../support/agent-scenario.ts'
import { callTool, type ModelServerReply, say } from '../../../support/model-server.ts'

/** A call of a server's tool after something private was read elsewhere: what the user has not said asks first. */

const text = { type: 'string' as const }
const mails = () =>
  recordingTool({
    name: 'read_mails',
    parameters: { type: 'object', properties: {} },
    effect: 'read',
    private: true,
    execute: () => ({ mails: ['The code of the safe is 4711-Zebra.'] }),
  })

function ofServer(
  name: string,
  { mayHavePrivate = false, approval }: { mayHavePrivate?: boolean; approval?: 'never' } = {},
) {
  const tool = recordingTool({
    name,
    parameters: {
      type: 'object',
      properties: { query: text, kind: { enum: ['open', 'closed'] }, other: { type: 'object' } },
    },
    effect: approval ? 'write' : 'read',
    ...(approval && { approval }),
    private: true,
    foreign: true,
    execute: () => ({ found: ['T-17'] }),
  })
  return mayHavePrivate
    ? { ...tool, specification: { ...tool.specification, mayHavePrivate: true as const } }
    : tool
}

const readMails = callTool('read_mails', {})
const find = (query: string, more: object = {}) => callTool('tracker__find', { query, ...more })

async function run(
  script: ModelServerReply[],
  tracker = ofServer('tracker__find'),
  input = 'Look for "login" in the tracker.',
  settings: { privateBefore?: boolean | string[] } = {},
) {
  await using scenario = await startScenario({
    stream: false,
    tools: [mails(), tracker, ofServer('tracker__get'), ofServer('other__read')],
    script: [...script, say('Found.')],
  })
  const { status, pending } = await scenario.run({ input, ...settings })
  return { status, code: pending?.[0]?.code, question: pending?.[0]?.question, runs: tracker.runs }
}

describe('a call to a server after a private read', () => {
  test('asks about what the user has not said, and says what that is', async () => {
    const { status, code, question, runs } = await run([readMails, find('4711-Zebra')])
    expect([status, code, runs]).toEqual(['needs_approval', 'approve_way_out', []])
    expect(question).toContain('4711-Zebra')
    expect(question).toContain('Private data is known from "Read mails".')
  })

  test('runs with what the user has said, and with a choice of its schema', async () => {
    const { status, runs } = await run([readMails, find('login', { kind: 'open' })])
    expect([status, runs]).toEqual(['completed', [{ query: 'login', kind: 'open' }]])
  })

  test('asks about the keys that a model makes up, too', async () => {
    expect(await run([readMails, find('login', { other: { '4711-Zebra': true } })])).toMatchObject({
      code: 'approve_way_out',
      runs: [],
    })
  })

  test('asks although it may run without asking', async () => {
    const always = ofServer('tracker__find', { approval: 'never' })
    const said = 'Look for "login", kind open.'
    expect(await run([readMails, find('login', { kind: 'closed' })], always, said)).toMatchObject({
      code: 'approve_way_out',
      runs: [],
    })
  })

  test('does not ask before anything private was read, nor about what the same server has shown', async () => {
    expect(await run([find('anything')])).toMatchObject({ status: 'completed' })
    expect(await run([callTool('tracker__get', {}), find('T-17')])).toMatchObject({ status: 'completed' })
    expect(await run([callTool('other__read', {}), find('T-17')])).toMatchObject({ code: 'approve_way_out' })
  })

  test('does not ask where the server may have private data', async () => {
    const { status, runs } = await run(
      [readMails, find('4711-Zebra')],
      ofServer('tracker__find', { mayHavePrivate: true }),
    )
    expect([status, runs]).toEqual(['completed', [{ query: '4711-Zebra' }]])
  })

  test('asks if something else was read before the transcript begins', async () => {
    const asked = (privateBefore: boolean | string[]) =>
      run([find('T-17')], ofServer('tracker__find'), 'Look.', { privateBefore })
    expect(await asked(true)).toMatchObject({ code: 'approve_way_out' })
    expect(await asked(['other__read'])).toMatchObject({ code: 'approve_way_out' })
    expect(await asked(['tracker__find', 'tracker__get'])).toMatchObject({ status: 'completed' })
    expect(await asked(['tracker__find', 'deleted'])).toMatchObject({ code: 'approve_way_out' })
  })
})

test('a write of a server is tried once, whatever it says of the time', async () => {
  const tool = recordingTool({
    name: 'tracker__create',
    parameters: { type: 'object', properties: {} },
    effect: 'write',
    foreign: true,
    execute: () => new Response('', { status: 429, headers: { 'retry-after': '1' } }),
  })
  await using scenario = await startScenario({
    stream: false,
    tools: [tool],
    script: [callTool('tracker__create', {}), say('Later.')],
  })
  expect((await scenario.run({ input: 'Create it.' })).status).toBe('completed')
  expect(tool.runs).toHaveLength(1)
})
