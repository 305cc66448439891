import { createToolCallId } from '../../core/identifiers.ts'
import type { ClientCall } from '../../transcript/entry.ts'
import { append, type Run } from '../run/run.ts'
import { prepareCalls } from './prepare-calls.ts'

/** Makes the call of a program, as its next attempt at the tool. */
export function makeClientCall(run: Run, { name, rawArguments, failed = 0 }: ClientCall): undefined {
  const reply = { toolCalls: [{ name, rawArguments }], finishReason: 'tool_calls' }
  for (const call of prepareCalls(run, reply, [createToolCallId()])) {
    append(run, { ...call, attempt: Math.min(call.attempt + failed, run.limits.maxAttempts) })
  }
}
