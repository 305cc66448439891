import { canonicalJson, writtenArguments } from '../core/canonical-json.ts'
import { isObject } from '../core/json-value.ts'
import type { ChatMessage } from '../models/protocol/model-client.ts'
import { isFeedback } from '../wording/feedback-text.ts'
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

/** What the calls in the messages of an interrupted run returned, by key: they count as this run's own. */
export function resultsIn(messages: readonly ChatMessage[]): Record<string, unknown> {
  const results: Record<string, unknown> = {}
  const keys = new Map<string, string>()
  for (const message of messages) {
    if (message.role === 'assistant') {
      for (const call of message.tool_calls ?? []) {
        if (call.type !== 'function') continue
        keys.set(call.id, `${call.function.name} ${writtenArguments(call.function.arguments)}`)
      }
    } else if (message.role === 'tool' && typeof message.content === 'string') {
      const key = keys.get(message.tool_call_id)
      const result = readResult(message.content)
      if (key !== undefined && result) results[key] = result.data
    }
  }
  return results
}

/** What a tool message says the tool returned; undefined when it failed. */
function readResult(content: string): { data: unknown } | undefined {
  if (isFeedback(content)) return undefined
  try {
    const data: unknown = JSON.parse(content)
    return isObject(data) && data.ok === false ? undefined : { data }
  } catch {
    return { data: content }
  }
}

/**
 * Which repetition a call would be of a write that an earlier run of this turn carried out, with the same arguments
 * or saying the same in other words; undefined when it is none.
 */
export function repetitionOf(run: Run, call: RoundCall, args: Record<string, unknown>): number | undefined {
  const prior = run.memory.priorWrites.filter(
    (write) => write.toolName === call.toolName && isSameEffect(call, write.arguments, args),
  )
  if (prior.length === 0) return undefined
  const same = prior.filter((write) => canonicalJson(write.arguments) === canonicalJson(args))
  return Math.max(call.repetition, ...same.map(({ repetition = 0 }) => repetition + 1))
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
