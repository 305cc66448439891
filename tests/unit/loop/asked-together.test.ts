import { expect, test } from 'vitest'
import { mailTool, recordingTool, startScenario } from '../../../support/agent-scenario.ts'
import { callTools, say } from '../../../support/model-reply.ts'

test('what a round asks is asked at once, after its writes have ended', async () => {
  const note = recordingTool({
    name: 'add_note',
    effect: 'write',
    parameters: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  })
  const mail = mailTool({ approval: 'always' })
  const to = (address: string) => ({ to: address, subject: 'Hi', body: 'Hello.' })
  const script = [
    callTools([
      ['send_email', to('ada@example.com')],
      ['add_note', { text: 'one' }],
      ['send_email', to('bob@example.com')],
    ]),
    say('Done.'),
  ]
  await using scenario = await startScenario({ stream: false, tools: [note, mail], script })
  const { pending } = await scenario.run()
  expect([pending?.length, note.runs.length]).toEqual([2, 1])
  const entries = scenario.events.map(({ type }) => type)
  const asked = entries.flatMap((type, index) => (type === 'question' ? [index] : []))
  expect(asked[1]).toBe((asked[0] ?? 0) + 1)
  expect(entries.lastIndexOf('result')).toBeLessThan(asked[0] ?? 0)
})
