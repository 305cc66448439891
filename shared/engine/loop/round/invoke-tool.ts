import { prepareToolCall } from '../../calls/prepare-tool-call.ts'
import { systemClock } from '../../core/clock.ts'
import { type ToolResult, toolError } from '../../core/tool-error.ts'
import type { ToolLibrary } from '../../core/tool-specification.ts'
import { defaultLimits } from '../run/limits.ts'
import { executeToolCall, stoppedError } from './execute-tool-call.ts'

/**
 * Runs one tool without a model: finds it, repairs and checks the arguments as for a model, executes it (repeatedly, if
 * that is safe and only the clock has to pass) and returns the result. Nobody is asked: it checks neither approvals nor
 * where a value comes from. `idempotencyKey` is passed on to the provider, a new UUID by default. Never rejects for what
 * a tool does: a call that cannot be made, a tool that throws and one that answers too late all become a
 * ToolError.
 *
 * @example
 * const city = { type: 'string', question: 'Which city do you mean?' }
 * const parameters = { type: 'object', properties: { city }, required: ['city'] }
 * const weather = defineTool({ name: 'get_weather', description: 'Weather', effect: 'read', parameters, execute: () => 'sunny' })
 * await invokeTool(createToolLibrary([weather]), 'get_weather', { city: 'Lisbon' }) // => { ok: true, data: 'sunny' }
 */
export async function invokeTool(
  library: ToolLibrary,
  name: string,
  args: unknown,
  { signal, idempotencyKey = crypto.randomUUID() }: { signal?: AbortSignal; idempotencyKey?: string } = {},
): Promise<ToolResult> {
  const written = writeArguments(args)
  if (written === undefined) {
    return toolError(
      'malformed_arguments',
      'Question: The arguments cannot be written as JSON. Please send plain data.',
    )
  }
  const prepared = prepareToolCall({ name, rawArguments: written, tools: [...library.values()] })
  if (!prepared.ok) return prepared.error
  const tool = library.get(prepared.tool.name)
  if (!tool)
    return toolError('tool_not_found', `Question: There is no tool "${name}". Which one should I use?`)
  if (signal?.aborted) return stoppedError()
  const { result } = await executeToolCall(
    { tool, args: prepared.args, idempotencyKey, attempt: 1 },
    { clock: systemClock, limits: defaultLimits, signal: signal ?? new AbortController().signal },
  )
  return result
}

function writeArguments(args: unknown): string | undefined {
  try {
    return JSON.stringify(args ?? {})
  } catch {
    return undefined
  }
}
