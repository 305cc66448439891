import { expect, test } from 'vitest'
import { mailTool, recordingTool, startScenario } from '../../../support/agent-scenario.ts'
import { callTool, say } from '../../../support/model-server.ts'
import { plainAndStreamed } from './plain-and-streamed.ts'

const to = 'ada@example.com'
const said = (content: string) => [{ role: 'user' as const, content }]

plainAndStreamed('free text of a write that stands for another', (stream) => {
  test.each(['N/A', 'TBD', '<subject>', '[Your message here]', '{{body}}', 'SELECT 1', 'body'])(
    'is missing if nobody said it: %s',
    async (body) => {
      const mail = mailTool()
      await using scenario = await startScenario({
        stream,
        tools: [mail],
        script: [
          callTool('send_email', { to, subject: 'Hi', body }),
          say('What should it say?'),
          say('What should it say?'),
        ],
      })
      const response = await scenario.run({ messages: said(`Write to ${to}`) })
      expect(mail.runs).toEqual([])
      expect(response).toMatchObject({ status: 'needs_input', pending: [{ schema: { required: ['body'] } }] })
      expect(scenario.lastToolText(2)).toContain('missing_parameter "body"')
    },
  )

  test('is missing if it is the example of the schema', async () => {
    const note = (examples: string[]) =>
      recordingTool({
        name: 'note',
        parameters: {
          type: 'object',
          properties: { text: { type: 'string', examples } },
          required: ['text'],
        },
      })
    for (const [examples, runs] of [
      [['Meeting on Thursday'], []],
      [['Meeting on Friday'], [{ text: 'Meeting on Thursday' }]],
    ] as const) {
      const tool = note([...examples])
      await using scenario = await startScenario({
        stream,
        tools: [tool],
        script: [callTool('note', { text: 'Meeting on Thursday' }), say('Which?'), say('Which?')],
      })
      await scenario.run({ messages: said('Note it.') })
      expect(tool.runs).toEqual(runs)
    }
  })

  test.each([
    ['the user said it', 'Write TBD to Ada', { body: 'TBD' }],
    ['it is part of a text', 'Write to Ada', { body: 'The room is TBD.' }],
    ['it is a page, data or code', 'Write to Ada', { body: '<p>Hi</p>', subject: '{"a": 1}' }],
  ])('is sent where %s', async (_, message, text) => {
    const mail = mailTool()
    const args = { to, subject: 'Hi', ...text }
    await using scenario = await startScenario({
      stream,
      tools: [mail],
      script: [callTool('send_email', args), say('Sent.')],
    })
    await scenario.run({ messages: said(`${message} (${to})`) })
    expect(mail.runs).toEqual([args])
  })

  test('runs in a read', async () => {
    const search = recordingTool({
      name: 'query',
      effect: 'read',
      parameters: { type: 'object', properties: { sql: { type: 'string' } }, required: ['sql'] },
    })
    await using scenario = await startScenario({
      stream,
      tools: [search],
      script: [callTool('query', { sql: 'SELECT 1' }), say('It works.')],
    })
    await scenario.run({ messages: said('Is the database there?') })
    expect(search.runs).toEqual([{ sql: 'SELECT 1' }])
  })
})
