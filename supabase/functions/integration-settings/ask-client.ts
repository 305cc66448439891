import type { z } from 'zod'
import { readJsonText } from '../../../shared/engine/core/json-value.ts'
import { bodyLimits, readText } from '../../../shared/engine/core/outside-body.ts'
import { ticketHeaders } from '../../../shared/server/client-calls/between-functions.ts'
import { ApiError } from '../../../shared/server/http/api-error.ts'
import type { SettingsDependencies } from './dependencies.ts'

/** Milliseconds: it waits for a server, and maybe for who signs users in there. */
const timeoutMs = 60_000

/** Asks something of `mcp-client`, in a user's name. Throws ApiError 503 if it does not answer. */
export async function askClient<Answer>(
  route: string,
  body: { userId: string; [member: string]: unknown },
  schema: z.ZodType<Answer>,
  { functionUrl, functionSecret, fetch: send }: SettingsDependencies,
): Promise<Answer> {
  if (functionSecret === undefined) throw new ApiError('not_configured', { why: 'servers' })
  try {
    const response = await send(functionUrl(`mcp-client/${route}`), {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(await ticketHeaders(route, body, functionSecret)) },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(timeoutMs),
    })
    return schema.parse(readJsonText(await readText(response, bodyLimits.function)))
  } catch (cause) {
    throw new ApiError('not_configured', { why: 'servers' }, { cause })
  }
}
