import { describe, expect, test } from 'vitest'
import {
  ToolCallError,
  type ToolError,
  type ToolErrorType,
  toolError,
} from '../../../shared/engine/core/tool-error.ts'
import { decideConsequence } from '../../../shared/engine/transcript/error-consequence.ts'
import { mailTool, searchTool, startScenario } from '../../../support/agent-scenario.ts'
import { callTool, say } from '../../../support/model-server.ts'
import { decide } from './decide.ts'
import { plainAndStreamed } from './plain-and-streamed.ts'

const mail = { to: 'ada@example.com', subject: 'Meeting', body: 'At ten.' }

const failing = (error: ToolError) => () => {
  throw new ToolCallError(error)
}

describe('the table of consequences', () => {
  const form = { correction: { name: 'send_email', arguments: { to: '<to>' }, open: ['to'] } }
  test.each<[string, ToolError, string]>([
    ['resolver model', toolError('missing_parameter', 'Question: ?'), 'feedback'],
    ['resolver time', toolError('unavailable', 'Later.'), 'sentence'],
    ['a login that failed', toolError('authentication_error', 'Question: ?'), 'connection'],
    ['a service not set up', toolError('not_configured', 'Question: ?'), 'connection'],
    ['a missing server key', toolError('not_configured', 'Nothing.', { resolver: 'nobody' }), 'sentence'],
    ['an unknown outcome', toolError('outcome_unknown', 'Question: ?'), 'approval'],
    ['a missing permission', toolError('permission_denied', 'Question: ?'), 'sentence'],
    ['a used-up quota', toolError('quota_exceeded', 'Question: ?'), 'sentence'],
    ['resolver nobody', toolError('execution_error', 'Broken.'), 'sentence'],
    [
      'a value for the user',
      toolError('invalid_value', 'Question: ?', { resolver: 'user', details: form }),
      'input',
    ],
    ['a user error without a form', toolError('conflict', 'Question: ?', { resolver: 'user' }), 'sentence'],
  ])('%s', (_, error, consequence) =>
    expect(decideConsequence(error, mailTool().specification)).toBe(consequence),
  )
})

plainAndStreamed('endings', (stream) => {
  test.each<ToolErrorType>(['permission_denied', 'quota_exceeded', 'execution_error'])(
    '%s: the model gets the sentence once and answers',
    async (errorType) => {
      const error = toolError(errorType, 'This is not allowed here.')
      const send = mailTool({ execute: failing(error) })
      await using scenario = await startScenario({
        stream,
        tools: [send],
        script: [callTool('send_email', mail), say('That is not possible.')],
      })
      const response = await scenario.run()
      expect(response).toMatchObject({
        status: 'completed',
        text: expect.stringMatching(/^That is not possible\.\n\nNot done: /),
      })
      expect(scenario.lastToolText(2)).toContain('This is not allowed here.')
      expect(scenario.lastToolText(2)).not.toContain('attempt')
      expect(response.toolsUsed).toMatchObject([{ ok: false, error: { errorType } }])
    },
  )

  test('a model that calls again what nobody can change is not obeyed, and answers without tools', async () => {
    const send = mailTool({ execute: failing(toolError('permission_denied', 'Question: Not allowed.')) })
    await using scenario = await startScenario({
      stream,
      tools: [send],
      script: ({ body }) =>
        body.tool_choice === 'none' ? say('Not allowed.') : callTool('send_email', mail),
    })
    const response = await scenario.run()
    expect(send.runs).toHaveLength(1)
    expect(response).toMatchObject({
      status: 'completed',
      text: expect.stringMatching(/^Not allowed\.\n\nNot done: /),
    })
    expect(scenario.requests).toHaveLength(3)
  })

  test('a read whose tries are used up: the sentence once, and the run is complete', async () => {
    const search = searchTool({ execute: failing(toolError('unavailable', 'The search is down.')) })
    await using scenario = await startScenario({
      stream,
      tools: [search],
      script: [callTool('web_search', { query: 'a' }), say('The search is down, try later.')],
    })
    const response = await scenario.run()
    expect(search.runs).toHaveLength(3)
    expect(response.status).toBe('completed')
    expect(response.toolsUsed).toMatchObject([{ attempt: 1, ok: false }])
    expect(scenario.events.filter(({ type }) => type === 'wait')).toHaveLength(2)
  })

  test('after a longer known wait the run ends and waits, and the clock resumes exactly that call', async () => {
    let calls = 0
    const send = mailTool({
      execute: () => {
        if (calls++ === 0)
          throw new ToolCallError(
            toolError('rate_limit_exceeded', 'Too many mails.', { retryAfterMs: 60_000 }),
          )
        return { id: 'm-1' }
      },
    })
    await using scenario = await startScenario({
      stream,
      tools: [send],
      script: [callTool('send_email', mail), say('Sent.')],
    })
    const parked = await scenario.run()
    expect(parked).toMatchObject({
      status: 'waiting',
      pending: [{ type: 'wait', toolName: 'send_email', values: mail, resumeAt: '2026-11-21T10:01:00.000Z' }],
    })
    expect(parked.text).not.toBe('')
    const response = await scenario.resume({ transcript: parked.transcript })
    expect(send.runs).toEqual([mail, mail])
    expect(response).toMatchObject({ status: 'completed', text: 'Sent.', toolsUsed: [{ ok: true }] })
    expect(send.keys[0]).toBe(send.keys[1])
  })

  test.each<ToolErrorType>(['authentication_error', 'not_configured'])(
    '%s waits for a connection, then exactly the waiting call goes on',
    async (errorType) => {
      let connected = false
      const action = { label: 'Connect', href: '/settings' }
      const send = mailTool({
        execute: () => {
          if (!connected)
            throw new ToolCallError(
              toolError(errorType, 'Question: Please connect.', { details: { action } }),
            )
          return { id: 'm-1' }
        },
      })
      await using scenario = await startScenario({
        stream,
        tools: [send],
        script: [callTool('send_email', mail), say('Sent.')],
      })
      const parked = await scenario.run()
      expect(parked).toMatchObject({
        status: 'needs_connection',
        text: 'Please connect.',
        pending: [{ type: 'connection', href: '/settings', question: 'Question: Please connect.' }],
      })
      expect(scenario.requests).toHaveLength(1)
      connected = true
      const response = await scenario.resume({ transcript: parked.transcript, connection: true })
      expect(response).toMatchObject({ status: 'completed', toolsUsed: [{ ok: true, input: mail }] })
      expect(send.runs).toHaveLength(2)
    },
  )

  test('an unknown outcome is asked about; approving claims once more, denying ends it', async () => {
    for (const decision of ['approve', 'deny'] as const) {
      let calls = 0
      const send = mailTool({
        execute: () => (calls++ === 0 ? Promise.reject(new Error('connection lost')) : { id: 'm-1' }),
      })
      await using scenario = await startScenario({
        stream,
        tools: [send],
        script: [callTool('send_email', mail), say('Understood.')],
      })
      const parked = await scenario.run()
      expect(parked).toMatchObject({
        status: 'needs_approval',
        pending: [{ type: 'approval', values: mail }],
      })
      expect(send.runs).toHaveLength(1)
      const response = await scenario.resume(decide(parked, decision))
      expect(response.status).toBe('completed')
      expect(send.runs).toHaveLength(decision === 'approve' ? 2 : 1)
      if (decision === 'deny') expect(scenario.lastToolText(2)).toContain('the first time is not known')
      // A provider that has carried out the first does nothing the second time.
      expect(new Set(send.keys).size).toBe(1)
      expect(scenario.ledger.rows.map(({ status }) => status)).toEqual(
        decision === 'approve' ? ['unknown', 'succeeded'] : ['unknown', 'cancelled'],
      )
    }
  })

  test('a call the provider refuses goes back to the model, at most three times', async () => {
    const send = mailTool({
      execute: failing(toolError('conflict', 'Question: There is one already. Another name?')),
    })
    let request = 0
    await using scenario = await startScenario({
      stream,
      tools: [send],
      script: ({ body }) =>
        body.tool_choice === 'none'
          ? say('I could not create it.')
          : callTool('send_email', { ...mail, subject: `Try ${++request}` }),
    })
    const response = await scenario.run()
    expect(send.runs).toHaveLength(3)
    expect(response).toMatchObject({
      status: 'failed',
      text: expect.stringMatching(/^I could not create it\.\n\nNot done: /),
    })
    expect(scenario.requests).toHaveLength(4)
  })

  test('unreadable text is no form: after the third attempt the model says what was not done', async () => {
    const send = mailTool()
    await using scenario = await startScenario({
      stream,
      tools: [send],
      script: ({ body }) =>
        body.tool_choice === 'none'
          ? say('I could not write it.')
          : callTool('send_email', '{"to": "ada@exam'),
    })
    const response = await scenario.run()
    expect(response).toMatchObject({
      status: 'failed',
      text: expect.stringMatching(/^I could not write it\.\n\nNot done: /),
    })
    expect(send.runs).toEqual([])
  })
})
