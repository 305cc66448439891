import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeIntegration, openIntegration } from '../../support/integration-suite.ts'
import { startScriptedProvider } from '../../support/scripted-provider.ts'
import { createActions } from './tasks-api/actions.ts'
import { integration } from './tasks-api/integration.ts'

/** Answers as the provider documents them, by path. */
const provider = await startScriptedProvider({
  '/v1/search': { items: [{ id: '7', title: 'Repair the printer' }] },
  '/v1/tasks': { id: '8', title: 'Order toner' },
})

const subject = {
  integration,
  createActions,
  provider,
  env: { TASKS_API_BASE_URL: provider.url },
  connection: { provider: 'tasks', values: { api_key: 'a-key-that-nobody-may-read' } },
  cases: [
    { action: 'find', params: { query: 'printer' }, path: '/v1/search' },
    { action: 'add', params: { title: 'Order toner' }, path: '/v1/tasks' },
  ],
}

// Outages, bad keys, lost answers and more, each with what has to follow.
describeIntegration(subject)

test('tasks_find says what the provider has found', async () => {
  await provider.script(undefined, '/')
  const { call } = await openIntegration(subject)
  const { answer } = await call({ action: 'find', params: { query: 'printer' } })
  assert.deepEqual(answer, { ok: true, data: { tasks: [{ id: '7', title: 'Repair the printer' }] } })
  assert.equal(provider.requests[0]?.path, '/v1/search?query=printer&limit=10')
  assert.equal(provider.requests[0]?.headers.authorization, 'Bearer a-key-that-nobody-may-read')
})

test('tasks_add gives the provider the key of the call, by which it is found if the answer is lost', async () => {
  await provider.script('lost', '/v1/tasks')
  const { call } = await openIntegration(subject)
  const write = { action: 'add', params: { title: 'Order toner' }, idempotencyKey: 'once' }
  const { answer } = await call(write)
  assert.equal(answer.errorType, 'outcome_unknown')
  const found = await call({ ...write, verify: true })
  assert.deepEqual(found.answer, { ok: true, data: { verification: 'sent' } })
  const [added, looked] = provider.requests
  assert.equal(looked?.path, `/v1/search?idempotency_key=${added?.headers['idempotency-key']}`)
})
