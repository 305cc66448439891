import { expect, test } from 'vitest'
import { newMessages } from '../../../client/chat-transport.ts'

const user = (id: string) => ({ id, role: 'user' })
const answer = (id: string) => ({ id, role: 'assistant' })

test('only what the server does not have is sent', () => {
  expect(newMessages([user('1'), answer('2'), user('3')])).toEqual([user('3')])
  // One that was lost on the way goes along.
  expect(newMessages([answer('2'), user('3'), user('4')])).toEqual([user('3'), user('4')])
  expect(newMessages([user('1'), answer('2')])).toEqual([answer('2')])
})
