import { expect, test } from 'vitest'
import { AgentError } from '../../../shared/engine/core/agent-error.ts'
import { streamAgent } from '../../../shared/engine/loop/stream-agent.ts'
import { createModelClient } from '../../../shared/engine/models/create-model-client.ts'
import { mailTool, runSettings } from '../../../support/agent-scenario.ts'
import { callTool, type ModelScript, say, startModelServer } from '../../../support/model-server.ts'
import { mail } from './decide.ts'

async function open(script: ModelScript) {
  const server = await startModelServer(script)
  const send = mailTool()
  const model = createModelClient({ baseURL: server.url, apiKey: 'any', model: 'scripted-model' })
  const settings = runSettings({ tools: [send], model })
  return { send, settings, [Symbol.asyncDispose]: () => server.close() }
}

test('the events are the entries of the response with deltas between them, call ids before a call is complete', async () => {
  await using scenario = await open([callTool('send_email', mail), say('Sent it.')])
  const { events, response } = streamAgent({ ...scenario.settings, input: 'Send it.' })
  const heard = []
  for await (const event of events) heard.push(event)
  const { transcript, text } = await response
  const deltas = ['text-delta', 'input-start', 'input-delta', 'restart']
  expect(heard.filter(({ type }) => !deltas.includes(type))).toEqual(transcript)
  expect(heard.flatMap((event) => (event.type === 'text-delta' ? event.delta : [])).join('')).toBe(text)
  const started = heard.findIndex(({ type }) => type === 'input-start')
  const called = heard.findIndex(({ type }) => type === 'call')
  expect(started).toBeGreaterThan(0)
  expect(started).toBeLessThan(called)
  expect(heard[started]).toMatchObject({ toolCallId: (heard[called] as { toolCallId: string }).toolCallId })
})

test('leaving the events stops nothing, and neither does a listener that throws', async () => {
  await using scenario = await open([callTool('send_email', mail), say('Sent it.')])
  const onEvent = () => {
    throw new Error('a fault of the listener')
  }
  const { events, response } = streamAgent({ ...scenario.settings, input: 'Send it.', onEvent })
  for await (const _ of events) break
  expect(await response).toMatchObject({ status: 'completed', text: 'Sent it.' })
  expect(scenario.send.runs).toEqual([mail])
})

test('a run that cannot begin ends the events with the error that the response rejects with', async () => {
  await using scenario = await open([])
  const { events, response } = streamAgent({ ...scenario.settings, input: '' })
  const read = async () => {
    for await (const _ of events);
  }
  await expect(read()).rejects.toThrow(AgentError)
  await expect(response).rejects.toThrow('The input is empty.')
})

test('it goes on from a transcript like resumeAgent', async () => {
  await using scenario = await open([callTool('send_email', mail), say('Sent it.')])
  const first = await streamAgent({ ...scenario.settings, input: 'Send it.' }).response
  const cut = first.transcript.findIndex(({ type }) => type === 'step-end') + 1
  const { response } = streamAgent({ ...scenario.settings, transcript: first.transcript.slice(0, cut) })
  expect((await response).toolsUsed).toMatchObject([{ ok: true }])
})
