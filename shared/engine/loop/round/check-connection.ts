import type { ToolError } from '../../core/tool-error.ts'
import type { RoundCall } from '../run/round-call.ts'
import type { Run } from '../run/run.ts'
import type { Executed } from './execute-tool-call.ts'

/**
 * Whether a tool that asks lacks its connection is a fact, not a matter of words: a missing one is reported at once, and
 * an existing one is tested when the tool asks a second time. Only a failed test replaces the question.
 */
export async function checkConnection(run: Run, call: RoundCall, executed: Executed): Promise<Executed> {
  const { result } = executed
  if (result.ok || executed.status !== 'failed' || result.details.said === undefined) return executed
  const tool = run.tools.get(call.call.toolName)
  if (!tool?.specification.providers?.length || !call.args) return executed
  const missing =
    tool.requirement?.(call.args) ??
    (hasAskedBefore(run, call) ? await tool.checkConnection?.(call.args, run.stopping.signal) : undefined)
  return missing ? { ...executed, result: missing } : executed
}

function hasAskedBefore({ state }: Run, { call }: RoundCall): boolean {
  const intent = state.intents.find(({ number }) => number === call.intent)
  return intent?.errors.some(({ details }: ToolError) => details.said !== undefined) ?? false
}
