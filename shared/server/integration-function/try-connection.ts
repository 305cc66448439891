import { isObject } from '../../engine/core/json-value.ts'
import type { ToolResult } from '../../engine/core/tool-error.ts'
import { judgeThrown } from '../../engine/tools/tool-outcome.ts'
import { type IntegrationProvider, secretFields } from '../../integrations/definition/integration.ts'
import { ApiError } from '../http/api-error.ts'
import type { Implementation, TestedConnection } from './integration-action.ts'
import { withoutSecrets } from './without-secrets.ts'

/**
 * Signs in with the values of a connection without storing them. A provider that cannot be tested accepts any values.
 * Throws ApiError 400 for a body without provider and values.
 */
export async function tryConnection(
  body: unknown,
  integration: { providers: readonly IntegrationProvider[] } & Pick<
    Required<Implementation>,
    'testConnection'
  >,
  signal: AbortSignal,
): Promise<ToolResult<TestedConnection>> {
  const { provider: id, values } = isObject(body) ? body : {}
  const provider = integration.providers.find((one) => one.id === id)
  if (!provider || !isObject(values)) {
    const known = integration.providers.map((one) => one.id)
    throw new ApiError('bad_request', { why: 'no_provider', known })
  }
  const secrets = secretFields(provider).map((field) => String(values[field] ?? ''))
  try {
    const tested = await integration.testConnection[provider.id]?.(values, signal)
    return withoutSecrets({ ok: true as const, data: tested ?? {} }, secrets)
  } catch (cause) {
    const tool = {
      name: 'test_connection',
      title: `${provider.name} connection`,
      description: '',
      parameters: {},
      effect: 'read' as const,
    }
    return withoutSecrets(judgeThrown(cause, { tool, args: {}, effectBegan: false }), secrets)
  }
}
