import { canonicalJson } from '../core/canonical-json.ts'
import type { PriorWrite } from '../transcript/entry.ts'
import type { LoopState } from '../transcript/loop-state.ts'
import type { RoundCall } from './round-call.ts'

/**
 * Which repetition a call would be of a write that was, or may have been, carried out for the same message before:
 * by another run, by a process that died, or with an unknown outcome. With the same arguments, or saying the same in
 * other words. Undefined when it is none.
 */
export function findRepetition(
  state: LoopState,
  call: RoundCall,
  args: Record<string, unknown>,
): number | undefined {
  const prior = writesBefore(state, call).filter(
    (write) => write.toolName === call.call.toolName && isSameEffect(call, write.arguments, args),
  )
  if (prior.length === 0) return undefined
  const same = prior.filter((write) => canonicalJson(write.arguments) === canonicalJson(args))
  return Math.max(call.call.repetition ?? 0, ...same.map(({ repetition = 0 }) => repetition + 1))
}

function writesBefore(state: LoopState, { state: own }: RoundCall): PriorWrite[] {
  const isNew = own.at > state.recoveredAt
  const before = state.writes.filter((write) => {
    const isOfTheDead = isNew && write.at <= state.recoveredAt
    return write !== own && (isOfTheDead || write.result?.status === 'unknown')
  })
  return [
    ...state.priorWrites,
    ...before.map(({ call: { toolName, input, repetition = 0 } }) => ({
      toolName,
      arguments: typeof input === 'object' ? input : {},
      repetition,
    })),
  ]
}

/** The values a person must name decide (same recipients, same mail); without such values half of the arguments. */
function isSameEffect(
  { specification }: RoundCall,
  a: Record<string, unknown>,
  b: Record<string, unknown>,
): boolean {
  if (canonicalJson(a) === canonicalJson(b)) return true
  const properties = specification?.parameters.properties ?? {}
  const sourced = Object.entries(properties)
    .filter(([name, schema]) => typeof schema === 'object' && schema.source === 'conversation' && name in a)
    .map(([name]) => name)
  const names = sourced.length > 0 ? sourced : [...new Set([...Object.keys(a), ...Object.keys(b)])]
  const equal = names.filter((name) => canonicalJson(a[name]) === canonicalJson(b[name])).length
  return sourced.length > 0 ? equal === names.length : equal * 2 >= names.length
}
