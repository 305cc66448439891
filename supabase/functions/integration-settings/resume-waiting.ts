import { z } from 'zod'
import { writeLog } from '../../../shared/server/log/log-line.ts'
import type { SettingsDependencies } from './dependencies.ts'

const waitingSchema = z.array(z.object({ conversationId: z.string(), itemId: z.string() }))
type WaitingItem = z.infer<typeof waitingSchema>[number]

/**
 * Continues the calls that wait for a connection of this provider, as the user and in the background: the
 * chat function does the work, and resuming twice is the same as once. The newest is assumed to be the card that the user
 * came from: it continues as it is. Of the others only reads do; a write asks first, however long it has waited.
 */
export function resumeWaiting(
  { userId, token }: { userId: string; token: string },
  provider: string,
  { rpc, functionUrl, fetch: send, keepAlive }: SettingsDependencies,
): void {
  async function resume({ conversationId, itemId }: WaitingItem, asksFirst: boolean): Promise<void> {
    try {
      const response = await send(functionUrl(`chat/${encodeURIComponent(conversationId)}/resume`), {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ itemId, asksFirst }),
      })
      await response.body?.cancel()
      // 404 and 409: somebody else has continued it, or it was replaced.
      if (response.status >= 500) writeLog('run-not-resumed', { conversationId, status: response.status })
    } catch (cause) {
      writeLog('run-not-resumed', { conversationId }, cause)
    }
  }
  async function resumeAll(): Promise<void> {
    const asked = await rpc('items_waiting_for', { p_user_id: userId, p_provider: provider })
    const [card, ...others] = waitingSchema.parse(asked)
    if (!card) return
    await resume(card, false)
    await Promise.all(others.map((item) => resume(item, true)))
  }
  keepAlive(resumeAll().catch((cause) => writeLog('runs-not-resumed', { provider }, cause)))
}
