import { randomUUID } from 'node:crypto'
import type { ChatUser } from '../../support/chat-user.ts'
import type { MeasuredProcess } from './measured-process.ts'

/** A streamed turn that the stub model answers, in a new conversation unless one is named. Throws if it is not answered. */
export async function takeTurn(
  { url }: MeasuredProcess,
  { token }: ChatUser,
  conversationId: string = randomUUID(),
): Promise<void> {
  const message = {
    id: randomUUID(),
    role: 'user',
    parts: [{ type: 'text', text: 'What is the weather in Lisbon?' }],
  }
  const response = await fetch(`${url}/chat`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ id: conversationId, messages: [message], trigger: 'submit-message' }),
  })
  const text = await response.text()
  if (!text.includes('Lisbon') || !text.includes('[DONE]')) throw new Error(`${url} answered ${text}`)
}
