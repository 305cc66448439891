import { expect, test } from 'vitest'
import { message } from '../../../shared/api/message.ts'

const read = (...parts: object[]) => message().safeParse({ id: 'a', role: 'assistant', parts })

test('a part with our data has the members that are declared, and no others', () => {
  const data = { toolCallId: 'call-1', from: 'a', to: 'b' }
  const { toolCallId: _, ...declared } = data
  expect(read({ type: 'data-model-switch', data: declared })).toMatchObject({ success: true })
  for (const wrong of [data, { from: 'a' }, undefined]) {
    const { error } = read({ type: 'data-model-switch', data: wrong })
    expect(error?.issues.map(({ path }) => path.slice(0, 3))).toEqual([['parts', 0, 'data']])
  }
})

test('parts of the AI SDK, and of clients, are theirs', () => {
  expect(read({ type: 'text', text: 'Hi', state: 'done' }, { type: 'data-mine', data: 1 })).toMatchObject({
    success: true,
  })
})
