import { type FindRecord, parametersIn, recordsIn } from '../../words/fill-template.ts'
import type { ToolSpecification } from '../core/tool-specification.ts'
import { leftOut } from './approval-question.ts'
import { toolValues } from './question-values.ts'

type Arguments = Record<string, unknown>

/**
 * The values of a call, for clients that translate its sentence: `known` is what the conversation says about ids,
 * `besides` what a person must see in addition to the tool's own sentence.
 */
export function callValues(
  tool: Pick<ToolSpecification, 'name' | 'title' | 'confirm'>,
  args: Arguments,
  sourced: readonly string[],
  find?: FindRecord,
): Record<string, unknown> {
  const { confirm = '' } = tool
  const known = recordsIn(confirm, { args, ...(find ? { find } : {}) })
  const besides = confirm === '' ? [] : leftOut(confirm, args, sourced)
  return {
    ...toolValues(tool),
    ...(Object.keys(known).length > 0 ? { known } : {}),
    ...(besides.length > 0 ? { besides } : {}),
  }
}

/** For an earlier call: the values that the tool's sentences name. */
export function namedInput(
  { confirm = '', summary = '' }: Pick<ToolSpecification, 'confirm' | 'summary'>,
  args: Arguments,
  sourced: readonly string[],
): Arguments {
  const names = new Set([...parametersIn(confirm), ...parametersIn(summary), ...sourced])
  return Object.fromEntries(Object.entries(args).filter(([name]) => names.has(name)))
}
