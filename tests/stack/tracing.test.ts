import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSpanExporter } from '../../supabase/functions/chat/tracing/span-exporter.ts'
import { startChatApp } from '../../support/chat-app.ts'
import { type ChatStack, startChatStack } from '../../support/chat-stack.ts'
import { expireLeases, signUpWithMail } from '../../support/chat-user.ts'
import { type CollectedSpan, type Collector, startCollector } from '../../support/collector.ts'
import { decisionOn } from '../../support/decision.ts'
import { startFunctionServer } from '../../support/function-server.ts'
import { callTool, callTools, fail, say, sayNothing } from '../../support/model-server.ts'
import { pidOf } from '../../support/pid-of.ts'

const mail = { to: ['ada@example.com'], subject: 'Hi', body: 'Hello Ada' }
const ask = 'Say hello to ada@example.com'

let chat: ChatStack
let collector: Collector
beforeAll(async () => {
  collector = await startCollector()
  chat = await startChatStack({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-api-key=collector%20key,x-team=mail',
  })
})
afterAll(async () => {
  await chat?.stop()
  await collector?.close()
})

const newUser = (approval: 'always' | 'never' = 'never') => signUpWithMail(chat.stack, approval)

const operationOf = ({ attributes }: CollectedSpan) => attributes['gen_ai.operation.name']

/** The spans of a conversation, once a run has sent its own: there is one `invoke_agent` for each. */
async function spansOf(conversationId: string, runs = 1): Promise<CollectedSpan[]> {
  const find = () =>
    collector.spans().filter(({ attributes }) => attributes['gen_ai.conversation.id'] === conversationId)
  await expect.poll(() => find().filter((span) => operationOf(span) === 'invoke_agent')).toHaveLength(runs)
  return find()
}

function byOperation(spans: readonly CollectedSpan[]) {
  const of = (name: string) => spans.filter((span) => operationOf(span) === name)
  return { agents: of('invoke_agent'), chats: of('chat'), tools: of('execute_tool') }
}

describe('a run', () => {
  it('is a trace: the agent, below it every model call and every tool call', async () => {
    const user = await newUser()
    chat.model.use([callTool('smtp_send_email', mail), say('It is sent.')])
    const { answer } = await user.post({ message: ask })
    const spans = await spansOf(answer.conversationId)
    const { agents, chats, tools } = byOperation(spans)
    const [agent] = agents
    expect(agent).toMatchObject({ name: 'invoke_agent', kind: 1, isError: false })
    expect(agent?.parentSpanId).toBeUndefined()
    expect(agent?.attributes).toMatchObject({
      'gen_ai.provider.name': 'openai_compatible',
      'gen_ai.request.model': 'scripted-model',
      'gen_ai.agent.id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      'gen_ai.usage.input_tokens': 40,
      'gen_ai.usage.output_tokens': 20,
      'askback.run.id': answer.runId,
      'askback.status': 'completed',
    })
    expect(chats).toHaveLength(2)
    expect(chats[0]).toMatchObject({
      name: 'chat scripted-model',
      kind: 3,
      isError: false,
      parentSpanId: agent?.spanId,
      attributes: {
        'gen_ai.provider.name': 'openai_compatible',
        'gen_ai.request.model': 'scripted-model',
        'gen_ai.request.temperature': 0.5,
        'gen_ai.response.finish_reasons': ['tool_calls'],
        'gen_ai.usage.input_tokens': 20,
        'gen_ai.usage.output_tokens': 10,
        'askback.tries': 1,
      },
    })
    expect(tools).toEqual([
      expect.objectContaining({
        name: 'execute_tool smtp_send_email',
        kind: 1,
        isError: false,
        parentSpanId: agent?.spanId,
        attributes: {
          'gen_ai.operation.name': 'execute_tool',
          'gen_ai.tool.name': 'smtp_send_email',
          'gen_ai.tool.type': 'function',
          'gen_ai.tool.call.id': answer.toolsUsed[0]?.toolCallId,
          'gen_ai.conversation.id': answer.conversationId,
          'askback.effect': 'write',
          'askback.attempt': 1,
          'askback.tries': 1,
          'askback.outcome': 'succeeded',
        },
      }),
    ])
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1)
    for (const span of spans) {
      expect(span.traceId).toMatch(/^[0-9a-f]{32}$/)
      expect(span.spanId).toMatch(/^[0-9a-f]{16}$/)
      expect(span.startedAt).toBeGreaterThanOrEqual(agent?.startedAt ?? Number.NaN)
      expect(span.endedAt).toBeLessThanOrEqual(agent?.endedAt ?? Number.NaN)
    }
  })

  it('is sent as OTLP in JSON, with the headers, and without a word of anybody', async () => {
    const user = await newUser()
    chat.model.use([
      callTool('smtp_send_email', { ...mail, subject: 'marker-of-call' }),
      say('marker-of-model'),
    ])
    const { answer } = await user.post({ message: `${ask} marker-of-user` })
    await spansOf(answer.conversationId)
    const [request] = collector.requests.filter(({ body }) => body.includes(answer.conversationId))
    expect(request?.path).toBe('/v1/traces')
    expect(request?.headers).toMatchObject({
      'content-type': 'application/json',
      'x-api-key': 'collector key',
      'x-team': 'mail',
    })
    expect(request?.body).toContain('"key":"service.name","value":{"stringValue":"askback"}')
    expect(request?.body).not.toMatch(/marker|ada@example|Hello|Mail agent/)
  })

  it('shows a refused call with what was wrong, and the corrected one beside it', async () => {
    const user = await newUser()
    const { to: _, ...without } = mail
    chat.model.use([callTool('smtp_send_email', without), callTool('smtp_send_email', mail), say('Sent.')])
    const { answer } = await user.post({ message: ask })
    const { tools, agents } = byOperation(await spansOf(answer.conversationId))
    expect(tools).toMatchObject([
      {
        isError: true,
        attributes: {
          'askback.attempt': 1,
          'askback.tries': 0,
          'askback.outcome': 'rejected',
          'askback.resolver': 'model',
          'askback.parameter': 'to',
          'error.type': 'missing_parameter',
        },
      },
      { isError: false, attributes: { 'askback.attempt': 2, 'askback.outcome': 'succeeded' } },
    ])
    expect(agents[0]?.isError).toBe(false)
  })

  it('does not pass on the name of a tool that the model has made up', async () => {
    const user = await newUser()
    chat.model.use([callTool('tell_ada_that_i_quit', {}), say('There is no such tool.')])
    const { answer } = await user.post({ message: 'Quit for me' })
    const { tools } = byOperation(await spansOf(answer.conversationId))
    expect(tools).toMatchObject([
      { name: 'execute_tool an unknown tool', isError: true, attributes: { 'error.type': 'tool_not_found' } },
    ])
  })

  it('has a span for each of several calls at once', async () => {
    const user = await newUser()
    const others = { ...mail, to: ['bob@example.com'] }
    chat.model.use([
      callTools([
        ['smtp_send_email', mail],
        ['smtp_send_email', others],
      ]),
      say('Both are sent.'),
    ])
    const { answer } = await user.post({ message: 'Say hello to ada@example.com and bob@example.com' })
    const { tools, agents } = byOperation(await spansOf(answer.conversationId))
    expect(tools).toHaveLength(2)
    expect(new Set(tools.map(({ spanId }) => spanId)).size).toBe(2)
    expect(tools.every(({ parentSpanId }) => parentSpanId === agents[0]?.spanId)).toBe(true)
  })

  it('is the same for a streamed answer', async () => {
    const user = await newUser()
    chat.model.use([say('Hello there.')])
    const response = await fetch(`${chat.stack.url}/functions/v1/chat`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${user.token}`,
        'content-type': 'application/json',
        accept: 'text/event-stream',
      },
      body: JSON.stringify({ id: `streamed-${user.id}`, message: 'Hello' }),
    })
    await response.text()
    const { chats } = byOperation(await spansOf(`streamed-${user.id}`))
    expect(chats).toMatchObject([{ isError: false, attributes: { 'gen_ai.request.stream': true } }])
  })

  it('is the same for a client of the OpenAI protocol', async () => {
    const user = await newUser()
    chat.model.use([say('Hello there.')])
    const models = await fetch(`${chat.stack.url}/functions/v1/chat/v1/models`, {
      headers: { authorization: `Bearer ${user.token}` },
    })
    const { data } = (await models.json()) as { data: { id: string }[] }
    const traceId = crypto.randomUUID().replaceAll('-', '')
    await fetch(`${chat.stack.url}/functions/v1/chat/v1/chat/completions`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${user.token}`,
        'content-type': 'application/json',
        traceparent: `00-${traceId}-00f067aa0ba902b7-01`,
      },
      body: JSON.stringify({ model: data[0]?.id, messages: [{ role: 'user', content: 'Hello' }] }),
    })
    const find = () => collector.spans().filter((span) => span.traceId === traceId)
    await expect.poll(() => find().map(operationOf)).toEqual(['invoke_agent', 'chat'])
  })
})

describe('a model that fails', () => {
  it('is an error with the status of its server, after all its tries', async () => {
    const user = await newUser()
    chat.model.use(() => fail(503, { errorMessage: 'marker-of-server' }))
    const { answer } = await user.post({ message: 'Hello' })
    const { agents, chats } = byOperation(await spansOf(answer.conversationId))
    expect(chats).toMatchObject([{ isError: true, attributes: { 'error.type': '503', 'askback.tries': 3 } }])
    expect(agents).toMatchObject([
      { isError: true, attributes: { 'error.type': '503', 'askback.status': 'failed' } },
    ])
    expect(JSON.stringify(collector.requests)).not.toContain('marker-of-server')
  })

  it('is an error where nothing could start: a refused key', async () => {
    const user = await newUser()
    chat.model.use(() => fail(401))
    const id = `refused-${user.id}`
    expect((await user.post({ id, message: 'Hello' })).status).toBe(502)
    const { agents, chats } = byOperation(await spansOf(id))
    expect(chats).toMatchObject([
      { isError: true, attributes: { 'error.type': '401', 'gen_ai.request.model': 'scripted-model' } },
    ])
    expect(agents).toMatchObject([{ isError: true, attributes: { 'error.type': '401' } }])
  })

  it('is an error where the answer is empty', async () => {
    const user = await newUser()
    chat.model.use([sayNothing(), say('Here I am.')])
    const { answer } = await user.post({ message: 'Hello' })
    const { agents, chats } = byOperation(await spansOf(answer.conversationId))
    expect(chats).toMatchObject([
      { isError: true, attributes: { 'error.type': 'empty_answer' } },
      { isError: false },
    ])
    expect(agents[0]?.isError).toBe(false)
  })
})

describe('a turn that takes several runs is one trace', () => {
  it('when it waits for an approval', async () => {
    const user = await newUser('always')
    chat.model.use([callTool('smtp_send_email', mail), say('It is sent.')])
    const { answer } = await user.post({ message: ask })
    expect(answer.status).toBe('needs_approval')
    const [parked] = byOperation(await spansOf(answer.conversationId)).agents
    expect(parked).toMatchObject({
      isError: false,
      attributes: { 'askback.status': 'needs_approval' },
      events: [
        {
          name: 'askback.question',
          attributes: {
            'askback.question.kind': 'approval',
            'askback.question.reason': 'consent',
            'gen_ai.tool.name': 'smtp_send_email',
          },
        },
      ],
    })
    const path = `/${answer.conversationId}/approval`
    await user.post(decisionOn(answer.pending?.[0], 'approve'), { path })
    const { agents, tools } = byOperation(await spansOf(answer.conversationId, 2))
    expect(agents[1]).toMatchObject({
      traceId: parked?.traceId,
      attributes: {
        'askback.status': 'completed',
        'askback.turn.id': parked?.attributes['askback.turn.id'],
      },
    })
    expect(tools).toMatchObject([
      { isError: false, parentSpanId: agents[1]?.spanId, attributes: { 'askback.outcome': 'succeeded' } },
    ])
  })

  it('when its process is killed and the same message is sent again', async () => {
    const user = await newUser()
    const body = { id: `killed-${user.id}`, message: ask, messageId: 'm-1' }
    const seen = chat.model.requests.length
    chat.model.use((request) =>
      request.number - seen === 1 ? callTool('smtp_send_email', mail) : { hang: true },
    )
    const first = user.post(body)
    await chat.model.waitForRequest(seen + 2)
    process.kill(pidOf(chat.stack.pids(), 'chat'), 'SIGKILL')
    await first
    await expireLeases(chat.stack, user.id)
    chat.model.use([say('It is sent.')])
    await user.post(body)
    const { agents, chats, tools } = byOperation(await spansOf(body.id))
    expect(agents).toMatchObject([{ isError: false, attributes: { 'askback.status': 'completed' } }])
    // Of what the dead process did, the ledger knows how it ended.
    expect(chats).toHaveLength(1)
    expect(tools).toMatchObject([{ isError: false, attributes: { 'askback.outcome': 'succeeded' } }])
  })

  it('and one that somebody stops is no error', async () => {
    const user = await newUser()
    const id = `stopped-${user.id}`
    const seen = chat.model.requests.length
    chat.model.use(() => ({ hang: true }))
    const answer = user.post({ id, message: 'Hello' })
    await chat.model.waitForRequest(seen + 1)
    await user.post({}, { path: `/${id}/stop` })
    await answer
    const { agents, chats } = byOperation(await spansOf(id))
    expect(agents).toMatchObject([{ isError: false, attributes: { 'askback.status': 'stopped' } }])
    expect(chats).toMatchObject([{ isError: false }])
  })
})

describe('traceparent', () => {
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
  const caller = '00f067aa0ba902b7'

  /** A chat function whose integration functions are recorded. */
  async function runWith(traceparent: string) {
    const functions = await startFunctionServer()
    functions.use({ ok: true, data: { messageId: 'm' } })
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }
    const spans = createSpanExporter(env, { fetch, keepAlive: () => {} })
    const app = startChatApp(chat, { functionUrl: (route) => `${functions.url}/${route}`, spans })
    const user = await newUser()
    const seen = chat.model.requests.length
    chat.model.use([callTool('smtp_send_email', mail), say('It is sent.')])
    const { answer } = await app.post({ message: ask }, { token: user.token, headers: { traceparent } })
    await functions.close()
    const heard = functions.calls.map(({ headers }) => headers.traceparent)
    return { answer, heard, asked: chat.model.requests.slice(seen) }
  }

  it('of the request is the parent, and goes on to the functions of tools, but to no model', async () => {
    const { answer, heard, asked } = await runWith(`00-${traceId}-${caller}-01`)
    const { agents, tools } = byOperation(await spansOf(answer.conversationId))
    expect(agents).toMatchObject([{ traceId, parentSpanId: caller }])
    expect(heard).toEqual([`00-${traceId}-${tools[0]?.spanId}-01`])
    expect(asked).toHaveLength(2)
    expect(asked.map(({ headers }) => headers.traceparent)).toEqual([undefined, undefined])
  })

  it('that does not want to be recorded is not', async () => {
    const { answer, heard } = await runWith(`00-${traceId}-${caller}-00`)
    expect(answer.status).toBe('completed')
    expect(heard).toEqual([undefined])
    const { answer: next } = await runWith('nonsense')
    const [agent] = byOperation(await spansOf(next.conversationId)).agents
    expect(agent?.parentSpanId).toBeUndefined()
    expect(JSON.stringify(collector.requests)).not.toContain(answer.conversationId)
  })
})
