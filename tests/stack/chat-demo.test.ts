import OpenAI from 'openai'
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type ChatUser, signInDemo } from '../support/chat-user.ts'
import { recipientQuestion } from '../support/recipient-question.ts'
import { startStack, type TestStack } from '../support/stack.ts'

let stack: TestStack
let user: ChatUser

beforeAll(async () => {
  stack = await startStack()
  user = await signInDemo(stack)
})
afterAll(() => stack?.stop())
beforeEach(() => stack.inbox.clear())

describe('without any model key', () => {
  it('the demo model corrects itself from the conversation, and says what it is', async () => {
    const { answer } = await user.post({ message: 'Send an email about the meeting to ada@example.com' })
    expect(answer).toMatchObject({
      status: 'completed',
      text: expect.stringMatching(/ada@example\.com[\s\S]*demo model/),
    })
    expect(answer.toolsUsed).toMatchObject([
      { ok: false, attempt: 1, error: { errorType: 'missing_parameter' } },
      { ok: true, attempt: 2, input: { to: ['ada@example.com'] } },
    ])
    expect(await stack.inbox.messages()).toMatchObject([{ to: ['ada@example.com'], subject: 'Meeting' }])
  })

  it.each(['a', 'a@', '. '])('half a megabyte of %j is answered like any other message', async (piece) => {
    const message = piece.repeat(500_000 / piece.length)
    const { answer } = await user.post({ message })
    expect(answer).toMatchObject({ status: 'completed', text: expect.stringContaining('demo model') })
  })

  it('it asks the user when the conversation names nobody, and takes a form or a message for an answer', async () => {
    const ask = (id: string) => user.post({ id, message: 'Send an email about the meeting' })
    const { answer } = await ask('form')
    expect(answer).toMatchObject({
      status: 'needs_input',
      text: expect.stringContaining(recipientQuestion),
    })
    const { answer: filled } = await user.post(
      { toolCallId: answer.pending?.[0]?.toolCallId, values: { to: ['bob@example.com'] } },
      { path: '/form/answer' },
    )
    expect(filled.status).toBe('completed')

    await ask('words')
    expect((await user.post({ id: 'words', message: 'To carol@example.com' })).answer.status).toBe(
      'completed',
    )
    expect((await stack.inbox.messages()).map(({ to }) => to).sort()).toEqual([
      ['bob@example.com'],
      ['carol@example.com'],
    ])
  })

  it('it takes a message for an answer in a chat program too, whose history is its own', async () => {
    const client = new OpenAI({ apiKey: user.token, baseURL: `${stack.url}/functions/v1/chat/v1` })
    const agent = (await client.models.list()).data[0]?.id ?? ''
    const messages: ChatCompletionMessageParam[] = []
    const ask = async (content: string) => {
      messages.push({ role: 'user', content })
      const { choices } = await client.chat.completions.create({ model: agent, messages })
      const said = choices[0]?.message.content ?? ''
      messages.push({ role: 'assistant', content: said })
      return said
    }
    expect((await ask('Send an email about the meeting')).split(recipientQuestion)).toHaveLength(2)
    expect(await ask('ada@example.com')).toMatch(/I sent the email “Meeting” to ada@example\.com\./)
    expect(await stack.inbox.messages()).toMatchObject([{ to: ['ada@example.com'], subject: 'Meeting' }])
  })
})
