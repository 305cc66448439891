import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type ChatStack, startChatStack } from '../support/chat-stack.ts'
import type { ChatUser } from '../support/chat-user.ts'
import { type Collector, startCollector } from '../support/collector.ts'
import { fail, type ModelServerRequest, say } from '../support/model-server.ts'
import { asked, OpenAiPerson } from '../support/openai-person.ts'

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
