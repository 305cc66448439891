import type { ToolSpecification } from '../../core/tool-specification.ts'
import type { AgentContext } from '../../tools/agent.ts'
import type { Call, Entry } from '../../transcript/entry.ts'
import { typedMessages } from '../../transcript/typed-messages.ts'
import type { KnownWrite } from './memory-ledger.ts'
import { meaningOf } from './sameness.ts'

/** The writes that a transcript shows as done, or as possibly done, for a ledger that does not know them. */
export function writesIn(
  entries: readonly Entry[],
  tools: ReadonlyMap<string, ToolSpecification>,
  user: AgentContext['user'],
): KnownWrite[] {
  const writes: KnownWrite[] = []
  const calls = new Map<string, Call>()
  let runId = ''
  for (const [index, entry] of entries.entries()) {
    if (entry.type === 'run-start') runId = entry.runId
    if (entry.type === 'call') calls.set(entry.toolCallId, entry)
    if (entry.type !== 'result' || entry.again) continue
    const call = calls.get(entry.toolCallId)
    if (call?.effect !== 'write' || typeof call.input !== 'object') continue
    const { toolCallId, toolName, effect, attempt, intent, input, repairs, repetition = 0 } = call
    const known = writes.findIndex(({ invocation }) => invocation.toolCallId === toolCallId)
    if (known >= 0) writes.splice(known, 1)
    if (entry.status !== 'succeeded' && entry.status !== 'unknown') continue
    writes.push({
      invocation: {
        ...{
          id: crypto.randomUUID(),
          runId,
          toolCallId,
          toolName,
          effect,
          attempt,
          intent,
          repairs,
          repetition,
        },
        arguments: input,
        meaning: meaningOf(tools.get(toolName), input, user),
        typed: typedMessages(entries.slice(0, index)),
      },
      status: entry.status,
      result: entry.result,
      claimedAt: Date.parse(call.startedAt),
    })
  }
  return writes
}
