import { clockHeader, signClock } from '../../shared/server/authentication/clock-signature.ts'
import type { DataApi } from '../data-api/data-api.ts'
import type { Keys } from '../data-directory/keys.ts'

/**
 * Stands in for pg_cron on Supabase: tells the chat function when waiting runs are due. While none is due it is not
 * called, so that an idle stack stays idle.
 */
export function startClock(parts: {
  dataApi: DataApi
  keys: Keys
  url: string
  /** What the function `chat` is called. */
  chat: string
  seconds: number
}): { close(): void } {
  const { dataApi, keys, url, chat, seconds } = parts

  async function tick(): Promise<void> {
    const due = await dataApi.fetch(
      new Request(`${url}/rest/v1/rpc/tick_clock`, {
        method: 'POST',
        headers: { apikey: keys.secretKey, 'content-profile': 'askback', 'content-type': 'application/json' },
        body: '{}',
      }),
    )
    if (!due.ok || (await due.json()) !== true) return
    await fetch(`${url}/functions/v1/${chat}/clock`, {
      method: 'POST',
      headers: { [clockHeader]: await signClock(keys.functionSecret) },
    })
  }

  let timer: NodeJS.Timeout
  const wait = () => {
    timer = setTimeout(() => {
      tick()
        .catch((error) => console.error(`[clock] ${error.message}`))
        .finally(wait)
    }, seconds * 1000).unref()
  }
  wait()
  return { close: () => clearTimeout(timer) }
}
