import type { Context } from 'hono'
import { z } from 'zod'
import {
  changeDigestSetting,
  type DigestSetting,
  openUnsubscribe,
  readDigestSetting,
  unsubscribe,
} from '../../../../shared/api/digest.ts'
import { authenticateUser } from '../../../../shared/server/authentication/authenticate.ts'
import { askDatabase } from '../../../../shared/server/database/ask-database.ts'
import { ApiError } from '../../../../shared/server/http/api-error.ts'
import type { ServeRoute } from '../../../../shared/server/http/serve-routes.ts'
import type { Refused } from '../../../../shared/server/reader/readers-language.ts'
import { linkUrl } from '../links/link-token.ts'
import type { ChatDependencies } from '../turn/dependencies.ts'
import { userOfToken } from './unsubscribe-token.ts'

const settingSchema = z.object({
  minutes: z.number().nullable(),
  to: z.string().nullable(),
  isPossible: z.boolean(),
})

/** When a user is mailed about what waits, and how that is ended without a sign-in. */
export function serveDigests<Variables extends { Variables: Refused }>(
  on: ServeRoute<Variables>,
  { rpc, verify, appUrls, functionSecret }: ChatDependencies,
): void {
  const user = async (c: Context<Variables>): Promise<string> => {
    const { userId } = await authenticateUser(c.req.raw, verify)
    c.set('userId', userId)
    return userId
  }
  const read = async (asked: ReturnType<typeof rpc>): Promise<{ digest: DigestSetting }> => ({
    digest: await askDatabase(asked, settingSchema),
  })
  /** Whom a mail was for. Throws ApiError 403 for a token that is none of ours, also if nobody has such an id. */
  const reader = async (token: string): Promise<string> => {
    if (!functionSecret) throw new ApiError('not_configured', { why: 'clock' })
    const userId = await userOfToken(functionSecret, token)
    if (userId === undefined) throw new ApiError('link_not_valid', { why: 'item' })
    return userId
  }

  on(readDigestSetting, async (_, c) => read(rpc('digest_setting', { p_user_id: await user(c) })))

  on(changeDigestSetting, async (request, c) => {
    const p_user_id = await user(c)
    const { minutes } = await request.body()
    return await read(rpc('change_digest_setting', { p_user_id, p_minutes: minutes }))
  })

  on(openUnsubscribe, async (request, c) => {
    const { token } = request.query()
    await reader(token)
    if (appUrls.base === undefined) throw new ApiError('not_configured', { why: 'app_urls' })
    return c.redirect(linkUrl(appUrls.base, token), 303)
  })

  on(unsubscribe, async (request) => {
    const p_user_id = await reader(request.query().token)
    await askDatabase(rpc('end_digests', { p_user_id }), z.unknown())
    return { unsubscribed: true } as const
  })
}
