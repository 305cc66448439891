import { describe, expect, test } from 'vitest'
import { ToolCallError, toolError } from '../../../shared/engine/core/tool-error.ts'
import { recordingTool, startScenario } from '../../../support/agent-scenario.ts'
import { callTool, say } from '../../../support/model-server.ts'
import { decide } from './decide.ts'

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
