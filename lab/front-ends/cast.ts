import { type ChatUser, giveAgent, signUp } from '../../support/chat-user.ts'
import type { Scene } from './scene.ts'
import type { Stage } from './stage.ts'

/** The users of a scene; scenes share nothing. */
export interface Cast {
  user: ChatUser
  agent: string
  /** A token of the settings page, for OpenAI clients. */
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
