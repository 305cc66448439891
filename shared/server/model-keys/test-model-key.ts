import { bodyLimits, readText } from '../../engine/core/outside-body.ts'
import { saidError, type ToolError, type ToolResult } from '../../engine/core/tool-error.ts'
import { classifyError } from '../../engine/failures/classify-error.ts'
import { rejectedCredentials } from '../../integrations/definition/connection-error.ts'
import type { IntegrationProvider } from '../../integrations/definition/integration.ts'
import type { Environment } from '../authentication/project-settings.ts'
import { modelServerOf } from './own-model-keys.ts'

const timeoutMs = 10_000

/**
 * Asks a model provider whether it accepts a key, with a free request: the list of its models. OpenRouter shows that
 * list to everybody, so there the key itself is queried (openrouter.ai/docs/api-reference/api-keys/get-current-key).
 */
export async function testModelKey(
  provider: IntegrationProvider,
  key: unknown,
  env: Environment,
  send: typeof fetch,
): Promise<ToolResult<Record<string, never>>> {
  const apiKey = String(key ?? '')
  const url = `${modelServerOf(provider.id, env)}/${provider.id === 'openrouter' ? 'key' : 'models'}`
  // Anthropic wants its own header outside of chat completions (docs.claude.com/en/api/models-list).
  const own: Record<string, string> =
    provider.id === 'anthropic' ? { 'x-api-key': apiKey, 'anthropic-version': '2023-06-01' } : {}
  try {
    const response = await send(url, {
      headers: { authorization: `Bearer ${apiKey}`, ...own },
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
    if (response.ok) {
      await response.body?.cancel()
      return { ok: true, data: {} }
    }
    const body = await readText(response, bodyLimits.modelAnswer)
    if (response.status === 401 || response.status === 403 || isBadKey(body)) return refused(provider)
    return classifyError(body, { httpStatus: response.status, headers: response.headers, body })
  } catch {
    // The URL is ours: nothing that the user typed can be wrong with it.
    return saidError('unavailable', { code: 'key_not_tested', values: { provider: provider.name } })
  }
}

/** Google answers 400 to an invalid key (`API_KEY_INVALID`). */
function isBadKey(body: string): boolean {
  return /"API_KEY_INVALID"|API key not valid/.test(body)
}

function refused(provider: IntegrationProvider): ToolError {
  return rejectedCredentials(provider, { code: 'key_refused', values: { isNew: true } })
}
