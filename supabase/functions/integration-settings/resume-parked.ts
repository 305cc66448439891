import { z } from 'zod'
import { writeLog } from '../../../shared/server/log/log-line.ts'
import type { SettingsDependencies } from './dependencies.ts'

/**
 * Goes on with the calls that wait for a connection of this provider, in the user's own name and in the background: the
 * chat function does the work, and going on twice is going on once.
 */
export function resumeParked(
  { userId, token }: { userId: string; token: string },
  provider: string,
  { rpc, functionsUrl, fetch: send, keepAlive }: SettingsDependencies,
): void {
  async function resume(conversationId: string): Promise<void> {
    const response = await send(`${functionsUrl}/chat/${encodeURIComponent(conversationId)}/resume`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    })
    await response.body?.cancel()
    // 404 and 409: somebody else has gone on with it, or it was replaced.
    if (response.status >= 500) writeLog('run-not-resumed', { conversationId, status: response.status })
  }
  async function resumeAll(): Promise<void> {
    const asked = await rpc('parked_conversations', { p_user_id: userId, p_provider: provider })
    const ids = z.array(z.string()).parse(asked)
    const resumed = await Promise.allSettled(ids.map(resume))
    for (const one of resumed) if (one.status === 'rejected') writeLog('run-not-resumed', {}, one.reason)
  }
  keepAlive(resumeAll().catch((cause) => writeLog('runs-not-resumed', { provider }, cause)))
}
