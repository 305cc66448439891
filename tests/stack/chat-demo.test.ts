import OpenAI from 'openai'
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type ChatUser, setMailApproval, signInDemo, signUp } from '../../support/chat-user.ts'
import { decisionOn } from '../../support/decision.ts'
import { recipientQuestion } from '../../support/recipient-question.ts'
import { startStack } from '../../support/stack.ts'
import { useStarted } from '../../support/use-started.ts'

const stack = useStarted(() => startStack())
let user: ChatUser

beforeAll(async () => {
  user = await signInDemo(stack)
})
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

  it('somebody with an account of their own sends to the local inbox, too', async () => {
    const newcomer = await signUp(stack)
    const message = 'Send an email about the meeting to ada@example.com'
    const { answer } = await newcomer.post({ id: 'own', message })
    expect(answer).toMatchObject({ status: 'needs_approval' })
    const approved = await newcomer.post(decisionOn(answer.pending?.[0], 'approve'), {
      path: '/own/approval',
    })
    expect(approved.answer).toMatchObject({ status: 'completed' })
    expect(await stack.inbox.messages()).toMatchObject([{ from: newcomer.email, to: ['ada@example.com'] }])
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

  describe('in the second minute', () => {
    const party = 'Send an email about the summer party'
    const abilities = /I only know a few things/
    const say = async (id: string, message: string) => (await user.post({ id, message })).answer

    it('it says what it still needs until an answer has it, and then goes on', async () => {
      await say('who', party)
      for (const words of ['to Ada please', 'yes, send it']) {
        const { text } = await say('who', words)
        expect(text).toContain(`“${party}”`)
        expect(text).toContain(recipientQuestion)
        expect(text).not.toMatch(abilities)
      }
      expect(await stack.inbox.messages()).toEqual([])
      expect((await say('who', 'Send the email to ada@example.com')).text).toMatch(/“Summer party” to ada@/)
      expect((await say('who', 'thanks')).text).toBe(
        'That is all I can do for “Send the email to ada@example.com”. Ask me for something else, or “What can you do?”',
      )
      expect((await say('who', 'What can you do?')).text).toMatch(abilities)
      expect(await stack.inbox.messages()).toMatchObject([
        { to: ['ada@example.com'], subject: 'Summer party' },
      ])
    })

    it('it goes on with a form that was filled in after words it could not use', async () => {
      const { pending } = await say('late', party)
      await say('late', 'to Ada please')
      const values = { to: ['ada@example.com'] }
      const { answer } = await user.post({ itemId: pending?.[0]?.itemId, values }, { path: '/late/answer' })
      expect(answer.text).toMatch(/“Summer party” to ada@/)
    })

    it('it asks for the recipient of every email', async () => {
      await say('two', 'Send an email about the meeting to ada@example.com')
      expect(await say('two', party)).toMatchObject({ status: 'needs_input' })
      await say('two', 'Send an email about lunch to bob@example.com')
      await say('two', 'To carol@example.com, it is about the party in July')
      expect((await stack.inbox.messages()).map(({ to, subject }) => [to, subject])).toEqual([
        [['ada@example.com'], 'Meeting'],
        [['bob@example.com'], 'Lunch'],
        [['carol@example.com'], 'Summer party'],
      ])
    })

    describe('where emails wait for approval', () => {
      beforeAll(() => setMailApproval(stack, 'always'))
      afterAll(() => setMailApproval(stack, 'never'))
      const decide = async (id: string, item: Parameters<typeof decisionOn>[0], what: 'approve' | 'deny') =>
        (await user.post(decisionOn(item, what), { path: `/${id}/approval` })).answer

      it('it leads to the card, and nothing that is typed sends', async () => {
        const { pending } = await say('wait', `${party} to ada@example.com`)
        for (const words of ['yes, send it', 'make it shorter', 'ada@example.com']) {
          const { text } = await say('wait', words)
          expect(text).toContain(
            `“${party} to ada@example.com” is still waiting for you. Use the buttons on its card to approve, edit or deny it.`,
          )
          expect(text).not.toMatch(abilities)
        }
        expect(await stack.inbox.messages()).toEqual([])
        expect((await decide('wait', pending?.[0], 'approve')).text).toMatch(/“Summer party” to ada@/)
        await say('wait', 'yes, send it')
        await say('wait', 'ada@example.com')
        expect(await stack.inbox.messages()).toHaveLength(1)
      })

      it('it leaves denied what was denied, and says how to get it after all', async () => {
        const { pending } = await say('no', `${party} to ada@example.com`)
        await decide('no', pending?.[0], 'deny')
        for (const words of ['yes, send it', 'Why to ada@example.com?']) {
          const { text } = await say('no', words)
          expect(text).toContain(`“${party} to ada@example.com”`)
          expect(text).not.toMatch(abilities)
        }
        expect(await stack.inbox.messages()).toEqual([])
        expect(await say('no', `${party} to ada@example.com`)).toMatchObject({ status: 'needs_approval' })
      })
    })
  })
})
