import { expect, test } from 'vitest'
import { recordingTool, startScenario } from '../../../support/agent-scenario.ts'
import { callTool, say } from '../../../support/model-server.ts'
import { shippedTools } from '../../../support/shipped-tools.ts'
import { type SecondMessage, secondMessages } from './second-messages.ts'
import { textCustomer } from './text-customer.ts'

/** Every tool with its approval switched off: whatever is asked is asked by the rules alone. */
function unaskedTools() {
  const specifications = [...shippedTools().map(({ specification }) => specification), textCustomer]
  return specifications.map(({ approval: _, ...rest }) => recordingTool({ ...rest, execute: () => ({}) }))
}

const msPerHour = 3_600_000

/** Plays both messages, saying yes to everything, and returns why the second one asked. */
async function play({ first, hours, second }: SecondMessage): Promise<(string | undefined)[]> {
  const tools = unaskedTools()
  const script = [first, second].flatMap(({ does: [name, args] }) => [callTool(name, args), say('Done.')])
  await using scenario = await startScenario({ stream: false, tools, script })
  const context = { user: { name: 'Mia', email: 'mia@example.com' } }
  const before = await scenario.run({ input: first.says, context })
  expect(before.status).toBe('completed')
  scenario.clock.advance(hours * msPerHour)
  let response = await scenario.run({ input: second.says, transcript: before.transcript, context })
  let transcript = [...before.transcript, ...response.transcript]
  const asked = response.transcript.flatMap((entry) => (entry.type === 'question' ? [entry.reason] : []))
  while (response.status === 'needs_approval') {
    const approval = (response.pending ?? []).map(({ toolCallId, approvalId = '' }) => ({
      toolCallId,
      approvalId,
      decision: 'approve' as const,
    }))
    response = await scenario.resume({ transcript, approval, context })
    transcript = [...transcript, ...response.transcript]
  }
  expect(response.status).toBe('completed')
  const used = tools.find(({ specification }) => specification.name === second.does[0])
  expect(used?.runs).toEqual([first.does[1], second.does[1]])
  return asked
}

test('twenty ordinary second messages to the same person seldom cost a needless question', async () => {
  expect(secondMessages).toHaveLength(20)
  const asked = new Map<SecondMessage, string>()
  for (const message of secondMessages) {
    const reasons = await play(message)
    if (reasons.length > 0) asked.set(message, reasons.join(', '))
  }
  console.table(
    secondMessages.map((message) => ({
      name: message.name,
      question: message.question,
      asked: asked.get(message) ?? '',
    })),
  )
  const namesOf = (question: SecondMessage['question'], from: Iterable<SecondMessage>) =>
    [...from].filter((message) => message.question === question).map(({ name }) => name)
  expect(namesOf('right', asked.keys())).toEqual(namesOf('right', secondMessages))
  const needless = namesOf('needless', asked.keys())
  expect(needless).toEqual([
    'the agenda as well',
    'German: the room, in a subordinate clause',
    'Japanese: news that the mail words more politely',
  ])
  expect(needless.length).toBeLessThanOrEqual(6)
})
