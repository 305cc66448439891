import { type ToolError, toolError } from '../../engine/core/tool-error.ts'

/**
 * The operator removed a key that stored secrets need, or set none: deleting the credentials would not help. The log
 * names the setting; people and models are only told that the operator has to act.
 */
export function missingCredentialsKey(): ToolError {
  const asked =
    'Stored credentials cannot be opened because this server lacks the key they were encrypted with. Its operator has to restore it; the credentials themselves are intact.'
  return toolError('not_configured', asked, {
    resolver: 'nobody',
    details: { asked: { code: 'secrets_locked', asked } },
  })
}
