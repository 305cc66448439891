import { type FindRecord, isFilled, parametersIn, recordsIn } from '../../words/fill-template.ts'
import type { ToolSpecification } from '../core/tool-specification.ts'
import { toolValues } from './question-values.ts'

type Arguments = Record<string, unknown>
type Tool = Pick<ToolSpecification, 'name' | 'title' | 'confirm'>

/** Values that are named if the tool has no sentence of its own. */
const mostValues = 3
/** Placeholders that show a value itself, or the number of values. */
const wholeValue = /\{([^{}:#=~]+)(?:~[^{}]*)?\}/g
/** Parts of a template that are left out if something in them is unknown. */
const optional = /\[(?:[^[\]{}]|\{[^{}]*\})+\]/g

/**
 * The values of a call, for the sentence that asks about it: `known` is what the conversation says about ids, `besides` names
 * what a person must see in addition to the tool's own sentence, or all that is told of a tool without one. `sourced`: the
 * parameters that must come from the user, because a person must see whom something goes to.
 */
export function callValues(
  tool: Tool,
  args: Arguments,
  sourced: readonly string[],
  find?: FindRecord,
): Record<string, unknown> {
  const known = recordsIn(tool.confirm ?? '', args, find)
  const besides = besidesOf(tool, args, sourced)
  return {
    ...toolValues(tool),
    ...(Object.keys(known).length > 0 ? { known } : {}),
    ...(besides.length > 0 ? { besides } : {}),
  }
}

function besidesOf({ confirm }: Tool, args: Arguments, sourced: readonly string[]): string[] {
  const named =
    confirm === undefined ? [...new Set([...sourced, ...Object.keys(args)])] : leftOut(confirm, sourced)
  const filled = named.filter((name) => isFilled(args[name]))
  return confirm === undefined ? filled.slice(0, Math.max(mostValues, sourced.length)) : filled
}

/** The parameters that a person must see but that the tool's sentence may not show. */
function leftOut(confirm: string, sourced: readonly string[]): string[] {
  const surelyTold = [...confirm.replace(optional, '').matchAll(wholeValue)].flatMap(([, names = '']) =>
    names.split(','),
  )
  return sourced.filter((name) => !surelyTold.includes(name))
}

/** For an earlier call: the values that its sentences name. */
export function namedInput(
  tool: Tool & Pick<ToolSpecification, 'summary'>,
  args: Arguments,
  sourced: readonly string[],
): Arguments {
  const { confirm = '', summary = '' } = tool
  const besides = besidesOf(tool, args, sourced)
  const names = new Set([...parametersIn(confirm), ...parametersIn(summary), ...sourced, ...besides])
  return Object.fromEntries(Object.entries(args).filter(([name]) => names.has(name)))
}
