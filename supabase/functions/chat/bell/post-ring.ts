import { postPublic } from '../../../../shared/integrations/network/public-post.ts'
import type { ChatDependencies } from '../turn/dependencies.ts'
import { signatureHeader, signRing } from './sign-ring.ts'

/** Milliseconds that a destination may take to answer. */
const patienceMs = 10_000

/** Opens the secret of a destination. */
export type OpenSecret = (sealed: string) => Promise<string>

/** What came of a request: the HTTP status of the answer, or what failed instead. */
export interface Posted {
  status?: number
  failure?: unknown
  /** Whether it may have arrived. */
  isSent: boolean
}

/** Sends a destination a signed request. `id` is the same for each attempt: whoever has heard it already can tell. */
export async function postRing(
  { allowPrivateHosts }: Pick<ChatDependencies, 'allowPrivateHosts'>,
  { id, url, secret }: { id: string; url: string; secret: string },
  content: object,
): Promise<Posted> {
  let isSent = false
  const body = JSON.stringify(content)
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Askback/1.0',
    'x-askback-delivery': id,
    [signatureHeader]: await signRing(secret, body),
  }
  try {
    const status = await postPublic(url, headers, body, {
      allowLoopback: allowPrivateHosts,
      signal: AbortSignal.timeout(patienceMs),
      onConnect: () => {
        isSent = true
      },
    })
    return { status, isSent }
  } catch (failure) {
    return { failure, isSent }
  }
}

export function isHeard(status: number | undefined): boolean {
  return status !== undefined && status >= 200 && status < 300
}
