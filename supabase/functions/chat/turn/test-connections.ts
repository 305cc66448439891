import { bodyLimits, readJson } from '../../../../shared/engine/core/outside-body.ts'
import { isWholeToolError, type ToolError } from '../../../../shared/engine/core/tool-error.ts'
import { settingsLink } from '../../../../shared/engine/wording/settings-link.ts'
import { withAppLink } from '../../../../shared/server/links/app-urls.ts'
import type { PermittedTool } from './catalogue.ts'
import type { ExecutorSettings } from './tool-executor.ts'

/**
 * Tests the connections of a tool like the user's settings do, the preferred provider's first. Returns the first one's error
 * if none of them works; undefined if one does, if the tool needs none, or if nobody can tell: the clock has no
 * token to ask with.
 */
export async function testConnections(
  { specification, providers }: PermittedTool,
  args: Record<string, unknown>,
  signal: AbortSignal,
  { functionUrl, headersFor, appUrls, fetch: send }: ExecutorSettings,
): Promise<ToolError | undefined> {
  const { authorization } = await headersFor(specification.name, args, '')
  if (authorization === undefined || providers.some(({ builtIn }) => builtIn)) return undefined
  let first: ToolError | undefined
  for (const provider of providers) {
    for (const { id } of provider.connections) {
      const url = functionUrl(`integration-settings/connections/${id}/test`)
      const error = await send(url, { method: 'POST', headers: { authorization }, signal })
        .then((response) => readJson(response, bodyLimits.function))
        .catch(() => undefined)
      if (!isWholeToolError(error) || !isOfTheUser(error)) return undefined
      const action = { label: `Reconnect ${provider.name}`, href: settingsLink(provider.id) }
      first ??= withAppLink({ ...error, details: { action, ...error.details } }, appUrls)
    }
  }
  return first
}

/** What the user can fix in their settings; an unavailable provider says nothing about a connection. */
function isOfTheUser({ errorType, resolver }: ToolError): boolean {
  return resolver === 'user' && (errorType === 'authentication_error' || errorType === 'not_configured')
}
