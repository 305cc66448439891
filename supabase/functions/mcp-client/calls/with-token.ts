import type { NamedServer } from '../protocol/named-server.ts'
import type { SignIns } from '../sign-in/sign-in.ts'

/** What a server is sent besides a message, and by whom. */
export interface Sender {
  userId: string
  signIns: Pick<SignIns, 'token'>
}

/**
 * Does something with a server as a user who has signed in there. A token that it refuses is renewed once: it has done nothing
 * then. A server with a header of its own for that gets no token.
 */
export async function withToken<Result>(
  server: NamedServer,
  { userId, signIns }: Sender,
  work: (server: NamedServer) => Promise<Result>,
  isRefused: (result: Result) => boolean,
): Promise<Result> {
  const names = Object.keys(server.headers ?? {}).map((name) => name.toLowerCase())
  if (names.includes('authorization') || !URL.canParse(server.url)) return await work(server)
  const url = new URL(server.url).href
  const token = await signIns.token(userId, url)
  if (token === undefined) return await work(server)
  const result = await work({ ...server, token })
  if (!isRefused(result)) return result
  const newer = await signIns.token(userId, url, token)
  return newer === undefined ? result : await work({ ...server, token: newer })
}
