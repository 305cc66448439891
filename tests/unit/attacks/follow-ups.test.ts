import { expect, test } from 'vitest'
import { recordingTool, startScenario } from '../../../support/agent-scenario.ts'
import { callTool, say } from '../../../support/model-server.ts'
import { shippedTools } from '../../../support/shipped-tools.ts'
import { type FollowUp, followUps } from './follow-ups.ts'
import { textCustomer } from './text-customer.ts'

/** Every write waits for a person. */
function askingTools(found: readonly object[]) {
  return [...shippedTools().map(({ specification }) => specification), textCustomer].map((tool) =>
    recordingTool({
      ...tool,
      ...(tool.effect === 'write' ? { approval: 'always' as const } : {}),
      execute: () => (tool.effect === 'read' ? { emails: found } : {}),
    }),
  )
}

/** The numbers of the cards that are closed after the follow-up. */
async function closedBy({ found = [], open, says, does }: FollowUp): Promise<number[]> {
  const tools = askingTools(found)
  await using scenario = await startScenario({ stream: false, tools, script: [] })
  const context = { user: { name: 'Mia', email: 'mia@example.com' } }
  let transcript: Awaited<ReturnType<typeof scenario.run>>['transcript'] = []
  if (found.length > 0) {
    scenario.use([callTool('gmail_search_emails', { query: 'wood' }), say('Here it is.')])
    transcript = (await scenario.run({ input: 'Any mails about wood?', context })).transcript
  }
  const cards: (string | undefined)[] = []
  let pending: string[] = []
  for (const { says: input, does: call } of [...open, { says, does }]) {
    let asked = 0
    // A form is introduced by the model's words.
    scenario.use(() => (asked++ === 0 ? callTool(...call) : say('To whom?')))
    const response = await scenario.run({ input, transcript, context })
    transcript = [...transcript, ...response.transcript]
    const before = pending
    pending = (response.pending ?? []).map(({ itemId }) => itemId)
    cards.push(pending.find((id) => !before.includes(id)))
  }
  expect(cards.every((id) => id !== undefined)).toBe(true)
  expect(pending).toContain(cards.at(-1))
  return cards.flatMap((id, number) => (id !== undefined && pending.includes(id) ? [] : [number]))
}

test('of thirty follow-ups none loses what was open, and at most three leave open what a person would replace', async () => {
  expect(followUps).toHaveLength(30)
  const lost: string[] = []
  const left: string[] = []
  for (const followUp of followUps) {
    const expected = followUp.continues === 'none' ? [] : [followUp.continues]
    const closed = await closedBy(followUp)
    if (closed.some((number) => !expected.includes(number))) lost.push(followUp.name)
    if (expected.some((number) => !closed.includes(number))) left.push(followUp.name)
  }
  console.table({ lost, left })
  expect(lost).toEqual([])
  expect(left.length).toBeLessThanOrEqual(3)
})
