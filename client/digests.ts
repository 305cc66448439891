import type { DigestSetting } from './api/types.ts'
import type { Askback } from './askback.ts'

/** Mails about what has waited for the user, apart from `createAskback`: few pages need them. */
export function createDigests({ fetch }: Pick<Askback, 'fetch'>) {
  const call = async <Answer>(path: string, method: 'GET' | 'POST' | 'PATCH', body?: object) => {
    const headers = { 'content-type': 'application/json' }
    const init = body ? { method, headers, body: JSON.stringify(body) } : { method }
    return (await (await fetch(path, init)).json()) as Answer
  }
  type Answer = { digest: DigestSetting }
  return {
    read: async () => (await call<Answer>('chat/digest', 'GET')).digest,
    /** After how many minutes of waiting the user is mailed; null for never. */
    change: async (minutes: number | null) =>
      (await call<Answer>('chat/digest', 'PATCH', { minutes })).digest,
    /** Ends them, for whoever has the link of a mail. `token`: what stands behind the `#` of its page. */
    end: (token: string) =>
      call<{ unsubscribed: true }>(`chat/digest/unsubscribe?token=${encodeURIComponent(token)}`, 'POST'),
  }
}
