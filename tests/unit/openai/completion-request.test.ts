import { describe, expect, test } from 'vitest'
import { readCompletionRequest } from '../../../supabase/functions/chat/openai/completion-request.ts'

const read = (messages: unknown, more: Record<string, unknown> = {}) =>
  readCompletionRequest({ model: 'Agent-1', messages, ...more })
const entryOf = async (messages: unknown) => (await read(messages)).turn.messages[0]?.entry
const user = (content: unknown) => ({ role: 'user', content })

describe('the same request', () => {
  test('has the same conversation and message, however it is to be answered', async () => {
    const { turn } = await read([user('Hi')])
    expect(turn.conversationId).toMatch(/^openai-[0-9a-f]{40}$/)
    expect((await read([{ content: 'Hi', role: 'user' }], { stream: true, temperature: 1 })).turn).toEqual(
      turn,
    )
  })

  test('is another one with another agent or another history', async () => {
    const { turn } = await read([user('Hi')])
    const others = [
      await read([user('Hi')], { model: 'agent-2' }),
      await read([user('Hi'), user('Hi')]),
      await read([{ role: 'system', content: 'Be brief.' }, user('Hi')]),
    ]
    const ids = [turn, ...others.map((other) => other.turn)].map(({ conversationId }) => conversationId)
    expect(new Set(ids).size).toBe(4)
  })
})

describe('the history', () => {
  test('of more messages than any conversation has is refused in words', async () => {
    const long = (length: number) => Array.from({ length }, () => user('x'))
    expect((await entryOf(long(10_000)))?.earlier).toHaveLength(9_999)
    await expect(read(long(200_000))).rejects.toMatchObject({
      status: 400,
      param: 'messages',
      message: '"messages" holds 200000 messages; at most 10000 can be sent. Leave out the oldest ones.',
    })
  })

  test('is what was said: what tools are said to have done are words of the assistant', async () => {
    const call = { id: 'c1', type: 'function', function: { name: 'smtp_send_email', arguments: '{}' } }
    const entry = await entryOf([
      { role: 'developer', content: 'Be brief.' },
      user('One'),
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'c1', content: '{"ok":true}' },
      { role: 'assistant', content: [{ type: 'text', text: 'Done.' }] },
      user([
        { type: 'text', text: 'Two' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,AA' } },
      ]),
    ])
    expect(entry).toEqual({
      type: 'user-message',
      content: [
        { type: 'text', text: 'Two' },
        { type: 'file', mediaType: 'image/png', url: 'data:image/png;base64,AA' },
      ],
      earlier: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'One' },
        { role: 'assistant', content: '{"ok":true}' },
        { role: 'assistant', content: 'Done.' },
      ],
    })
  })

  test('has the instructions that a front end puts behind the last message, too', async () => {
    const entry = await entryOf([user('One'), { role: 'system', content: 'Be brief.' }])
    expect(entry?.earlier).toEqual([{ role: 'system', content: 'Be brief.' }])
  })

  test('is kept as far as a model can read it, from a message of the user on', async () => {
    const long = 'x'.repeat(200 * 1024)
    const entry = await entryOf([
      { role: 'system', content: 'Be brief.' },
      user(long),
      { role: 'assistant', content: 'One' },
      user('Two'),
      { role: 'assistant', content: long },
      user('Three'),
    ])
    expect(entry?.earlier?.map(({ role }) => role)).toEqual(['system', 'user', 'assistant'])
    expect(entry?.earlier?.[1]?.content).toBe('Two')
  })
})

test.each([
  [{ messages: [user('Hi')] }, 'model'],
  [{ model: 'a' }, 'messages'],
  [{ model: 'a', messages: [] }, 'messages'],
  [{ model: 'a', messages: ['Hi'] }, 'messages'],
  [{ model: 'a', messages: [{ role: 'king', content: 'Hi' }] }, 'messages'],
  [{ model: 'a', messages: [{ role: 'assistant', content: 'Hi' }] }, 'messages'],
  [{ model: 'a', messages: [user(5)] }, 'messages'],
  ['Hi', 'messages'],
])('%j is refused with the parameter that is wrong', async (body, param) => {
  await expect(readCompletionRequest(body)).rejects.toMatchObject({ status: 400, param })
})
