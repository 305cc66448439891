import { saidError, type ToolError } from '../../../../shared/engine/core/tool-error.ts'
import { serverLink } from '../../../../shared/engine/wording/settings-link.ts'

/** The user has to sign in at a server first, which they do in their settings. */
export function signInError(host: string, serverId: string): ToolError {
  const action = { label: `Sign in at ${host}`, href: serverLink(serverId) }
  const said = { code: 'server_sign_in', values: { server: host } } as const
  return saidError('authentication_error', said, { details: { action } })
}
