import { parsePath, setAt, valueAt } from '../../engine/core/json-path.ts'
import { type ToolError, toolError } from '../../engine/core/tool-error.ts'
import type { ToolSpecification } from '../../engine/core/tool-specification.ts'
import { schemaAt } from '../../engine/schema/resolve-schema.ts'
import { slotFor } from '../../engine/wording/describe-parameter.ts'
import { pickShape } from '../../engine/wording/question-for.ts'

/** Why one argument of a call cannot be used. */
export interface ArgumentFault {
  /** Path like `to[0]`. */
  parameter: string
  /** Without the `Question:` in front. */
  question: string
  /** `user` where the value came from the user, so that only the user has another one. Default `model`. */
  resolver?: 'model' | 'user'
  expected?: string
  constraint?: string
}

/** Thrown by an action when an argument satisfies the schema and still cannot be used. */
export class ArgumentError extends Error {
  override name = 'ArgumentError'
  readonly fault: ArgumentFault
  constructor(fault: ArgumentFault) {
    super(fault.question)
    this.fault = fault
  }
}

/** The error for it: the call is kept, with that one place open for another value. */
export function unusableArgument(
  { name, parameters }: ToolSpecification,
  args: Record<string, unknown>,
  { parameter, question, resolver = 'model', expected, constraint }: ArgumentFault,
): ToolError {
  const path = parsePath(parameter) ?? []
  const kept = structuredClone(args)
  setAt(kept, path, slotFor(path, pickShape(parameters, schemaAt(parameters, path))))
  return toolError('invalid_value', `Question: ${question}`, {
    resolver,
    details: {
      parameter,
      value: valueAt(args, path),
      ...(expected === undefined ? {} : { expected }),
      ...(constraint === undefined ? {} : { constraint }),
      correction: { name, arguments: kept, open: [parameter] },
    },
  })
}
