import { describe, expect, test } from 'vitest'
import { ToolCallError, toolError } from '../../../shared/engine/core/tool-error.ts'
import { recordingTool, startScenario } from '../../../support/agent-scenario.ts'
import { callTool, say } from '../../../support/model-server.ts'
import { decide, stored } from './decide.ts'

/** An invoice for a customer: only those with a number below 10 exist. */
const invoiceTool = () =>
  recordingTool({
    name: 'create_invoice',
    title: 'Create invoice',
    effect: 'write',
    approval: 'always',
    confirm: 'Invoice {amount} to customer {customer}?',
    parameters: {
      type: 'object',
      properties: {
        customer: { type: 'integer', title: 'customer' },
        amount: { type: 'integer', title: 'amount' },
      },
      required: ['customer', 'amount'],
    },
    execute: ({ customer }) => {
      if (Number(customer) >= 10)
        throw new ToolCallError(
          toolError('not_found', 'Question: Which customer is it?', { details: { parameter: 'customer' } }),
        )
      return { id: 1 }
    },
  })

async function approveAndFail(then: Record<string, unknown>) {
  const scenario = await startScenario({
    stream: false,
    tools: [invoiceTool()],
    script: [
      callTool('create_invoice', { customer: 99, amount: 500 }),
      callTool('create_invoice', then),
      say('Done.'),
    ],
  })
  const first = await scenario.run({ input: 'Invoice 500 to the customer.' })
  return { scenario, first, again: await scenario.resume(decide(first, 'approve')) }
}

describe('an approved call that failed and comes back changed', () => {
  test('says so, and at which value', async () => {
    const { scenario, first, again } = await approveAndFail({ customer: 3, amount: 500 })
    await using _ = scenario
    expect(first.pending?.[0]).not.toHaveProperty('changedSentence')
    expect(again.pending).toMatchObject([
      {
        asked: 'Invoice 500 to customer 3?',
        changedSentence: 'Asked again: there is no customer 99; now 3.',
        question: 'Question: Asked again: there is no customer 99; now 3. Invoice 500 to customer 3?',
      },
    ])
    const done = await scenario.resume(decide(again, 'approve', {}, [first]))
    expect(done.status).toBe('completed')
  })

  test('leaves it to the card to show the values if more than that one has changed', async () => {
    const { scenario, again } = await approveAndFail({ customer: 3, amount: 400 })
    await using _ = scenario
    expect(again.pending?.[0]?.changedSentence).toBe('Asked again: there is no customer 99.')
  })

  test('says so, too, where no value is to blame, and the model has changed several', async () => {
    const tool = recordingTool({
      name: 'send_letter',
      title: 'Send letter',
      effect: 'write',
      approval: 'always',
      confirm: 'Send {subject}?',
      parameters: {
        type: 'object',
        properties: {
          to: { type: 'array', items: { type: 'string', format: 'email' }, source: 'conversation' },
          subject: { type: 'string' },
          body: { type: 'string' },
        },
        required: ['to', 'subject', 'body'],
      },
      execute: ({ subject }) => {
        if (subject === 'FREE')
          throw new ToolCallError(toolError('permission_denied', 'It was taken for spam.'))
        return { id: 1 }
      },
    })
    await using scenario = await startScenario({
      stream: false,
      tools: [tool],
      script: [
        callTool('send_letter', { to: ['ada@example.com'], subject: 'FREE', body: 'Try it.' }),
        callTool('send_letter', { to: ['ada@example.com'], subject: 'A month', body: 'Please try it.' }),
        say('Done.'),
      ],
    })
    const first = await scenario.run({ input: 'Send a letter to ada@example.com.' })
    const again = await scenario.resume(decide(first, 'approve'))
    expect(again.pending?.[0]?.changedSentence).toBe('Asked again: it failed.')
  })
})

test('a form that was filled in with what the tool then refused is not the same form again', async () => {
  const tool = recordingTool({
    name: 'invite',
    title: 'Invite',
    effect: 'write',
    approval: 'always',
    confirm: 'Invite {guest}?',
    parameters: {
      type: 'object',
      properties: { guest: { type: 'string', title: 'guest', question: 'Who should come?' } },
      required: ['guest'],
    },
    execute: () => {
      const details = { parameter: 'guest' }
      throw new ToolCallError(toolError('invalid_value', 'Question: Who?', { resolver: 'user', details }))
    },
  })
  await using scenario = await startScenario({
    stream: false,
    tools: [tool],
    script: [callTool('invite', {}), say('Who?'), say('Who else?')],
  })
  const first = await scenario.run({ input: 'Invite somebody.' })
  const fill = { values: { guest: 'nobody' } }
  const second = await scenario.resume(decide(first, 'approve', fill))
  expect(second.pending).toMatchObject([
    { type: 'input', changedSentence: 'Asked again: "nobody" was not accepted as guest.' },
  ])
  const third = await scenario.resume(decide(second, 'approve', fill, [first]))
  expect(third.pending).toMatchObject([
    { changedSentence: 'Asked again: "nobody" was not accepted as guest.' },
  ])
})

test('a call that was denied and comes back says so', async () => {
  const invoice = { customer: 3, amount: 500 }
  await using scenario = await startScenario({
    stream: false,
    tools: [invoiceTool()],
    script: [
      callTool('create_invoice', invoice),
      say('All right.'),
      callTool('create_invoice', invoice),
      say('Done.'),
    ],
  })
  const first = await scenario.run({ input: 'Invoice 500 to customer 3.' })
  const denied = await scenario.resume(decide(first, 'deny'))
  const again = await scenario.run({
    input: 'No, do it.',
    transcript: stored(first, denied),
  })
  expect(again.pending).toMatchObject([{ changedSentence: 'Asked again: it was denied before.' }])
})
