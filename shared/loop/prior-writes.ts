import type { ChatMessage } from '../models/model-client.ts'
import { canonicalJson, writtenArguments } from './canonical-json.ts'
import type { RoundCall } from './round-call.ts'
import type { Run } from './run.ts'
import type { PriorWrite } from './run-options.ts'

/** The note that shows the model what earlier runs of this turn did; none when there is nothing. */
export function describePriorWrites(writes: readonly PriorWrite[]): string[] {
  if (writes.length === 0) return []
  const lines = writes.map(({ toolName, arguments: args, status = 'succeeded', result }) => {
    const done = result === undefined ? '' : ` -> ${JSON.stringify(result)}`
    const outcome = status === 'succeeded' ? done : ' (it is not known whether it succeeded)'
    return `- ${toolName} ${JSON.stringify(args)}${outcome}`
  })
  return [
    `Already done for this message; do not repeat it unless the user wants it twice:\n${lines.join('\n')}`,
  ]
}

/** Keys of the calls in the messages of an interrupted run: they count as this run's own. */
export function writesIn(messages: readonly ChatMessage[]): string[] {
  return messages.flatMap((message) =>
    message.role !== 'assistant'
      ? []
      : (message.tool_calls ?? []).flatMap((call) =>
          call.type === 'function'
            ? [`${call.function.name} ${writtenArguments(call.function.arguments)}`]
            : [],
        ),
  )
}

/** True when an earlier run of this turn carried out this very write, or one that says the same in other words. */
export function isPriorWrite(run: Run, call: RoundCall, args: Record<string, unknown>): boolean {
  return run.memory.priorWrites.some(
    (write) => write.toolName === call.toolName && isSameEffect(call, write.arguments, args),
  )
}

/** The values a person must name decide (same recipients, same mail); without such values half of the arguments. */
function isSameEffect(call: RoundCall, a: Record<string, unknown>, b: Record<string, unknown>): boolean {
  if (canonicalJson(a) === canonicalJson(b)) return true
  const properties = call.specification?.parameters.properties ?? {}
  const sourced = Object.entries(properties)
    .filter(([name, schema]) => typeof schema === 'object' && schema.source === 'conversation' && name in a)
    .map(([name]) => name)
  const names = sourced.length > 0 ? sourced : [...new Set([...Object.keys(a), ...Object.keys(b)])]
  const equal = names.filter((name) => canonicalJson(a[name]) === canonicalJson(b[name])).length
  return sourced.length > 0 ? equal === names.length : equal * 2 >= names.length
}
