import { describe, expect, test } from 'vitest'
import { mailTool, searchTool, startScenario } from '../../../support/agent-scenario.ts'
import { callTool, callTools, say } from '../../../support/model-reply.ts'
import type { ModelScript } from '../../../support/model-server.ts'

const mail = (to: string) => callTool('send_email', { to, subject: 'Hi', body: 'Hello.' })
const denied = { success: false, error: 'This mailbox may not send.', status: 403 }

async function run(script: ModelScript, execute: (args: Record<string, unknown>) => unknown, more = {}) {
  const tools = [mailTool({ execute, confirm: 'Send "{subject}" to {to}?', ...more }), searchTool()]
  await using scenario = await startScenario({ stream: false, tools, script })
  return await scenario.run()
}

describe('whatever the model says, our own line says which write was not done', () => {
  test.each(['Sent.', 'Gesendet!', '送信しました。'])('%s', async (words) => {
    const { text, status } = await run([mail('ada@example.com'), say(words)], () => denied)
    expect([status, text]).toEqual(['completed', `${words}\n\nNot done: Send "Hi" to "ada@example.com".`])
  })

  test('also where its call was refused before it ran, and it insists', async () => {
    const broken = callTool('send_email', '{"to": [{{"ada"')
    const { text } = await run([broken, broken, broken, say('Sent.'), say('Sent.')], () => ({}))
    expect(text).toBe('Sent.\n\nNot done: Send email.')
  })

  test('once, however often it was tried', async () => {
    const tries = [mail('ada@example.com'), mail('ada@example.com'), say('Sent.'), say('Sent.')]
    const { text } = await run(tries, () => denied)
    expect(text.match(/Not done/g)).toHaveLength(1)
  })
})

test('each of two that one answer asked for is named', async () => {
  const both = callTools([
    ['send_email', { to: 'ada@example.com', subject: 'Hi', body: 'Hello.' }],
    ['send_email', { to: 'bob@example.com', subject: 'Hi', body: 'Hello.' }],
  ])
  const { text } = await run([both, say('Sent to both.')], () => denied)
  expect(text.match(/to "\w+@example.com"/g)).toEqual(['to "ada@example.com"', 'to "bob@example.com"'])
})

describe('it says nothing', () => {
  test('of what was done in the end', async () => {
    let tries = 0
    const execute = () => (++tries === 1 ? denied : { done: true })
    const { text } = await run([mail('ada@example.com'), mail('eve@example.com'), say('Sent.')], execute)
    expect(text).toBe('Sent.')
  })

  test('of a search that failed', async () => {
    const search = callTool('web_search', { query: 'x', count: 99 })
    const { text } = await run([search, say('I could not search.')], () => ({}))
    expect(text).toBe('I could not search.')
  })

  test('of what the user is being asked about', async () => {
    const script = [callTool('send_email', { subject: 'Hi', body: 'x' }), say('To whom?'), say('To whom?')]
    const { text, pending } = await run(script, () => ({}))
    expect(pending).toHaveLength(1)
    expect(text).not.toContain('Not done')
  })
})
