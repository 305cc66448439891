import type { TestStack } from '../../support/stack.ts'

/** The access token of the demo user. */
export async function signIn({ url, keys, demoUser }: TestStack): Promise<string> {
  const response = await fetch(`${url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { apikey: keys.publishableKey, 'content-type': 'application/json' },
    body: JSON.stringify(demoUser),
  })
  return (await response.json()).access_token
}

/** A message as AI SDK clients send it, in a new conversation; the answer is the stream. */
export function streamTurn(
  { url }: Pick<TestStack, 'url'>,
  token: string,
  text: string,
  id: string = crypto.randomUUID(),
): Promise<Response> {
  return fetch(`${url}/functions/v1/chat`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      id,
      messages: [{ id: crypto.randomUUID(), role: 'user', parts: [{ type: 'text', text }] }],
      trigger: 'submit-message',
    }),
  })
}
