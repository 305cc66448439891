import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type ChatStack, startChatStack } from '../../support/chat-stack.ts'
import { type ChatUser, connectSmtp, giveAgent, signUp, withDatabase } from '../../support/chat-user.ts'
import { type Collector, startCollector } from '../../support/collector.ts'
import { callTool, fail, type ModelServerRequest, say } from '../../support/model-server.ts'
import { asked, OpenAiPerson } from '../../support/openai-person.ts'

let chat: ChatStack
let collector: Collector
let person: OpenAiPerson
let ada: ChatUser
beforeAll(async () => {
  collector = await startCollector()
  chat = await startChatStack({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url })
  person = await OpenAiPerson.arrive(chat)
  ada = person.user
})
afterAll(async () => {
  await chat?.stop()
  await collector?.close()
})
beforeEach(() => {
  chat.model.requests.length = 0
})

/** Tokens of a request, by the server's own count: four characters are one. */
const tokensOf = ({ body }: ModelServerRequest) =>
  Math.ceil(JSON.stringify([body.messages, body.tools]).length / 4)

/** llama.cpp's refusal, in its words (ggml-org/llama.cpp, tools/server). */
function refuseOver(window: number) {
  return (request: ModelServerRequest) => {
    const sent = tokensOf(request)
    if (sent <= window) return say('Fine.', { usage: { prompt_tokens: sent, completion_tokens: 2 } })
    const message = `request (${sent} tokens) exceeds the available context size (${window} tokens), try increasing it`
    const error = {
      code: 400,
      message,
      type: 'exceed_context_size_error',
      n_prompt_tokens: sent,
      n_ctx: window,
    }
    return fail(400, { body: { error } })
  }
}

const paste = 'The minutes of the meeting were read, and nobody had anything to add. '.repeat(850)
const sentence = 'This message is too long for the language model. Send less at once, or as a file.'

describe('a message that is longer than the model reads', () => {
  it('is said as that, and the next message is answered', async () => {
    chat.model.use(refuseOver(12_000))
    const first = await ada.post({ id: 'paste', message: paste })
    expect(first.answer).toMatchObject({ status: 'failed', text: `${sentence}\nNothing was carried out.` })
    expect(chat.model.requests).toHaveLength(1)
    const next = await ada.post({ id: 'paste', message: 'Then only the date, please.' })
    expect(next.answer).toMatchObject({ status: 'completed', text: 'Fine.' })
    expect(chat.model.requests).toHaveLength(2)
    expect(tokensOf(chat.model.requests[1] as ModelServerRequest)).toBeLessThanOrEqual(12_000)

    const spans = () =>
      collector.spans().filter(({ attributes }) => attributes['gen_ai.conversation.id'] === 'paste')
    const chats = () => spans().filter(({ attributes }) => attributes['gen_ai.operation.name'] === 'chat')
    await expect.poll(chats).toHaveLength(2)
    const [refused, cut] = chats().map(({ attributes }) => attributes)
    expect(refused).toMatchObject({ 'askback.window.tokens': 12_000 })
    expect(Number(refused?.['askback.request.tokens'])).toBeGreaterThan(12_000)
    expect(cut).toMatchObject({ 'askback.window.tokens': 12_000 })
    expect(Number(cut?.['askback.cut.texts']) + Number(cut?.['askback.cut.turns'])).toBeGreaterThan(0)
    expect(chat.stack.output()).toMatch(/"event":"window-learned".*"window":12000/)
    expect(chat.stack.output()).toMatch(/"event":"request-cut".*"window":12000/)
    expect(chat.stack.output()).not.toContain('minutes of the meeting')
  })

  it('is 400 for a client of the OpenAI protocol', async () => {
    const request = { model: person.agent, messages: [asked(paste)] }
    const error = await person.client.chat.completions.create(request).catch((cause: unknown) => cause)
    expect(error).toMatchObject({
      ...{ status: 400, code: 'context_length_exceeded', type: 'invalid_request_error', param: 'messages' },
      message: expect.stringContaining(sentence),
    })
    // It was learned before.
    expect(chat.model.requests).toHaveLength(0)
  })
})

/** LM Studio's refusal, in its words (lmstudio-ai/lmstudio-bug-tracker). */
function refuseAsLmStudio(window: number, answer: (offered: string[]) => ReturnType<typeof say>) {
  return (request: ModelServerRequest) => {
    const sent = tokensOf(request)
    if (sent <= window) return answer(offeredIn(request))
    const error = `Trying to keep the first ${sent} tokens when context the overflows. However, the model is loaded with context length of only ${window} tokens, which is not enough. Try to load the model with a larger context length, or provide a shorter input`
    return fail(400, { body: { error } })
  }
}

const offeredIn = ({ body }: ModelServerRequest) =>
  (body.tools ?? []).flatMap((tool) => (tool.type === 'function' ? [tool.function.name] : []))

describe('a model that turns out to read less than the tools take', () => {
  it.each([
    [4_096, 'a-small-model', 60],
    [8_192, 'another-small-model', 300],
  ])('with %d tokens searches for them, in the same run', async (window, model, sentences) => {
    const user = await signUp(chat.stack)
    const agentId = await giveAgent(chat.stack, user.id, 'never')
    await connectSmtp(chat.stack, user.id)
    await withDatabase(chat.stack, (sql) => sql`insert into askback.operators (user_id) values (${user.id})`)
    await withDatabase(
      chat.stack,
      (sql) => sql`insert into askback.agent_llm_preferences (agent_id, model) values (${agentId}, ${model})`,
    )
    const mail = { to: ['ada@example.com'], subject: 'Hello', body: 'Hello Ada' }
    let isSent = false
    chat.model.use(
      refuseAsLmStudio(window, (offered) => {
        if (isSent) return say('Sent.')
        if (!offered.includes('smtp_send_email')) return callTool('search_tools', { query: 'smtp' })
        isSent = true
        return callTool('smtp_send_email', mail)
      }),
    )
    const { answer } = await user.post({
      message: `${'These are my notes of the week. '.repeat(sentences)} Say hello to ada@example.com`,
    })
    expect(answer).toMatchObject({ status: 'completed', text: 'Sent.' })
    expect(answer.toolsUsed?.map(({ toolName, ok }) => [toolName, ok])).toEqual([
      ['search_tools', true],
      ['smtp_send_email', true],
    ])
    const [refused, ...others] = chat.model.requests
    expect(offeredIn(refused as ModelServerRequest).length).toBeGreaterThan(15)
    expect(others.map(offeredIn)[0]).toEqual(['search_tools'])
    for (const request of others) {
      expect(tokensOf(request)).toBeLessThanOrEqual(window)
      expect(JSON.stringify(request.body.messages)).toContain('Say hello to ada@example.com')
    }
    expect(others).toHaveLength(3)

    const insights = await user.get('/operator/insights?days=1')
    const { models } = insights.body as { models: { model: string }[] }
    expect(models.find((one) => one.model === model)).toMatchObject({
      ...{ calls: 3, reads: window, readsBy: 'learned', cuts: 0 },
    })
  })
})
