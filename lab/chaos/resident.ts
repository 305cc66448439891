import { type ChatUser, giveAgent, signUp } from '../../support/chat-user.ts'
import { connectGmail } from '../../support/connect-google.ts'
import { gmailScopes } from '../../support/gmail-server.ts'
import type { World } from './world.ts'

/** Every resident's accounts at Gmail. */
export const gmailAccounts = { gmail: 'drafts@example.com', 'gmail at once': 'once@example.com' }

/** A user with an account at each provider and two agents: one asks before it sends, the other does not. */
export interface Resident {
  user: ChatUser
  agents: { always: string; never: string }
  /** When they signed up, in milliseconds since 1970. */
  since: number
}

export async function makeResident({ stack, mail, gmail }: World): Promise<Resident> {
  const user = await signUp(stack)
  const always = await giveAgent(stack, user.id, 'always')
  const never = await giveAgent(stack, user.id, 'never')
  await mail.connect(stack, user.id)
  // Hops are told apart by the user in the token, as in the project's own.
  const token = `ya29.${Buffer.from(JSON.stringify({ sub: user.id })).toString('base64url')}`
  const accounts = [
    { email: gmailAccounts.gmail, scopes: [gmailScopes.compose] },
    { email: gmailAccounts['gmail at once'], scopes: [gmailScopes.send] },
  ]
  for (const account of accounts)
    await connectGmail(stack, user.id, gmail, { ...account, token: `${token}.${account.email}` })
  const wanted = await user.send('PATCH', '/digest', { minutes: 1440 })
  if (wanted.status !== 200) throw new Error(`No digests: ${JSON.stringify(wanted)}`)
  return { user, agents: { always, never }, since: Date.now() }
}
