import { describe, expect, test } from 'vitest'
import type { AgentResponse } from '../../../shared/engine/loop/run/agent-response.ts'
import { mailTool, startScenario } from '../../../support/agent-scenario.ts'
import { callTool, say } from '../../../support/model-reply.ts'
import type { ModelScript } from '../../../support/model-server.ts'

const address = { type: 'string', format: 'email', source: 'conversation' }
const parameters = {
  type: 'object',
  properties: { to: address, subject: { type: 'string' }, body: { type: 'string' } },
  required: ['to', 'subject', 'body'],
}
const mail = (subject: string, body = 'At ten.') =>
  callTool('send_email', { to: 'ada@example.com', subject, body })

/** Each run has a ledger of its own, as in a process that has just started: only the transcript is kept. */
async function turns(steps: { input: string; script: ModelScript }[], execute?: () => unknown) {
  const tool = mailTool({
    parameters,
    confirm: 'Send "{subject}" to {to}?',
    ...(execute ? { execute } : {}),
  } as Parameters<typeof mailTool>[0])
  await using scenario = await startScenario({ stream: false, tools: [tool], script: [] })
  const transcript: AgentResponse['transcript'][number][] = []
  const responses: AgentResponse[] = []
  for (const { input, script } of steps) {
    scenario.use(script)
    const response = await scenario.run({ input, transcript: [...transcript], ledger: undefined })
    transcript.push(...response.transcript)
    responses.push(response)
  }
  return { tool, responses, last: responses.at(-1) as AgentResponse }
}

const first = {
  input: 'Mail ada@example.com about the meeting',
  script: [mail('Meeting'), say('Sent.')] as ModelScript,
}

describe('a write that only the transcript knows', () => {
  test('is asked about when a later message leads to the same one', async () => {
    const again = { input: 'Again, the one from before', script: [mail('Meeting'), say('Sent.')] }
    const { tool, last } = await turns([first, again])
    expect(tool.runs).toHaveLength(1)
    expect(last).toMatchObject({ status: 'needs_approval', pending: [{ reason: 'repetition' }] })
  })

  test('and to the same one in other words', async () => {
    const again = { input: 'Thanks', script: [mail('Our meeting', 'Ten it is.'), say('Sent.')] }
    const { tool, last } = await turns([first, again])
    expect(tool.runs).toHaveLength(1)
    expect(last.status).toBe('needs_approval')
  })

  test('but not to another one that the user has asked for', async () => {
    const again = {
      input: 'Now mail her the agenda for Thursday, please',
      script: [mail('Agenda', 'The agenda for Thursday.'), say('Sent.')],
    }
    const { tool, last } = await turns([first, again])
    expect([tool.runs.length, last.status]).toEqual([2, 'completed'])
  })

  test('also when nobody knows whether it was done', async () => {
    const lost = () => {
      throw new Error('socket hang up')
    }
    const asked = { ...first, script: [mail('Meeting'), say('It may have gone out.')] as ModelScript }
    const again = { input: 'So send it', script: [mail('Meeting', 'At ten!'), say('Sent.')] }
    const { tool, last } = await turns([asked, again], lost)
    expect([tool.runs.length, last.status]).toEqual([1, 'needs_approval'])
  })
})

test('a write that was refused is none', async () => {
  let tries = 0
  const refuses = () => (++tries === 1 ? { success: false, error: 'The mailbox is full.' } : { done: true })
  const again = { input: 'Again, please', script: [mail('Meeting'), say('Sent.')] as ModelScript }
  const refused = { ...first, script: [mail('Meeting'), say('It is full.')] as ModelScript }
  const { tool, last } = await turns([refused, again], refuses)
  expect([tool.runs.length, last.status]).toEqual([2, 'completed'])
})

describe('the very same write in the same turn', () => {
  test('is not done again, and a model that insists has the user asked', async () => {
    const tool = mailTool({ parameters } as Parameters<typeof mailTool>[0])
    await using scenario = await startScenario({
      stream: false,
      tools: [tool],
      script: [mail('Meeting'), mail('Meeting'), mail('Meeting'), say('Sent.')],
    })
    const response = await scenario.run({ input: first.input, ledger: undefined })
    expect(tool.runs).toHaveLength(1)
    expect(response).toMatchObject({ status: 'needs_approval', pending: [{ reason: 'repetition' }] })
  })

  test('nor in another process that continues the turn', async () => {
    const tool = mailTool({ parameters } as Parameters<typeof mailTool>[0])
    await using scenario = await startScenario({
      stream: false,
      tools: [tool],
      script: [mail('Meeting'), say('Sent.')],
    })
    const response = await scenario.run({ input: first.input, ledger: undefined })
    const died = response.transcript.slice(
      0,
      response.transcript.findIndex(({ type }) => type === 'result') + 1,
    )
    scenario.use([mail('Meeting'), mail('Meeting'), say('Sent.')])
    const resumed = await scenario.resume({ transcript: died, ledger: undefined })
    expect(tool.runs).toHaveLength(1)
    expect(resumed.status).toBe('needs_approval')
  })
})
