import { prepareToolCall } from '../../../shared/engine/calls/prepare-tool-call.ts'
import { withoutMark } from '../../../shared/engine/core/question-mark.ts'
import type { ToolError } from '../../../shared/engine/core/tool-error.ts'
import { secretFields } from '../../../shared/integrations/definition/integration.ts'
import { ApiError } from '../../../shared/server/http/api-error.ts'
import type { ConnectableProvider } from './catalogue.ts'

/** Values that were refused: besides the sentence, what is wrong with them in the form of a tool error. */
export class RefusedValues extends ApiError<'invalid_values' | 'connection_test_failed'> {
  readonly toolError: Pick<ToolError, 'errorType' | 'resolver' | 'details'>
  constructor(
    code: 'invalid_values' | 'connection_test_failed',
    { error, errorType, resolver, details }: ToolError,
  ) {
    super(code, { said: { ...details.asked, text: withoutMark(error) } })
    this.toolError = { errorType, resolver, details }
  }
}

/** What a user has entered, by where it is stored. */
export interface CheckedValues {
  values: Record<string, unknown>
  metadata: Record<string, unknown>
  secrets: Record<string, string>
}

/**
 * Checks values against the provider's schema, with the repairs and the questions of tool calls. Throws RefusedValues;
 * ApiError 400 for a provider that is connected differently.
 */
export function checkValues(provider: ConnectableProvider, given: Record<string, unknown>): CheckedValues {
  if (provider.builtIn) throw new ApiError('built_in', { provider: provider.name })
  if (provider.oauth) throw new ApiError('sign_in_needed', { why: 'provider', provider: provider.name })
  const tool = {
    name: 'connection',
    title: `${provider.name} connection`,
    description: provider.description,
    parameters: provider.connection,
    effect: 'write' as const,
  }
  const prepared = prepareToolCall({ name: tool.name, rawArguments: JSON.stringify(given), tools: [tool] })
  if (!prepared.ok) throw new RefusedValues('invalid_values', withoutValues(prepared.error))
  const declared = Object.keys(provider.connection.properties ?? {})
  const secret = new Set(secretFields(provider))
  const entries = Object.entries(prepared.args).filter(([field]) => declared.includes(field))
  return {
    values: Object.fromEntries(entries),
    metadata: Object.fromEntries(entries.filter(([field]) => !secret.has(field))),
    secrets: Object.fromEntries(
      entries.filter(([field]) => secret.has(field)).map(([field, value]) => [field, String(value)]),
    ),
  }
}

/** A form already has the values, including secrets. */
function withoutValues(error: ToolError): ToolError {
  const { value: _, correction: __, example: ___, ...details } = error.details
  return { ...error, details }
}
