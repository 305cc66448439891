import { type ChatUser, giveAgent, signUp } from '../../tests/support/chat-user.ts'
import type { Scene } from './scene.ts'
import type { Stage } from './stage.ts'

/** Whose requests a scene is made of: nothing of one scene is known in another. */
export interface Cast {
  user: ChatUser
  agent: string
  /** Of the settings, for OpenAI clients. */
  token: string
}

export async function makeCast({ stack, mail }: Stage, { approval = 'never' }: Scene): Promise<Cast> {
  const user = await signUp(stack)
  const agent = await giveAgent(stack, user.id, approval)
  await mail.connect(stack, user.id)
  const response = await fetch(`${stack.url}/functions/v1/integration-settings/tokens`, {
    method: 'POST',
    headers: { authorization: `Bearer ${user.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'A front end' }),
  })
  const { token } = (await response.json()) as { token: { value: string } }
  return { user, agent, token: token.value }
}
