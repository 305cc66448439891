import { saidError, type ToolError } from '../../engine/core/tool-error.ts'

/**
 * The operator removed a key that stored secrets need, or set none: deleting the credentials would not help. The log
 * names the setting; people and models are only told that the operator has to act.
 */
export function missingCredentialsKey(): ToolError {
  return saidError('not_configured', { code: 'secrets_locked' }, { resolver: 'nobody' })
}
