import { type ChatUser, giveAgent, signUp } from '../../tests/support/chat-user.ts'
import type { World } from './world.ts'

/** A user with a mail account and two agents: one asks before it sends, the other does not. */
export interface Resident {
  user: ChatUser
  agents: { always: string; never: string }
  /** When they signed up, in milliseconds since 1970. */
  since: number
}

export async function makeResident({ stack, mail }: World): Promise<Resident> {
  const user = await signUp(stack)
  const always = await giveAgent(stack, user.id, 'always')
  const never = await giveAgent(stack, user.id, 'never')
  await mail.connect(stack, user.id)
  return { user, agents: { always, never }, since: Date.now() }
}
