import type { Correction, Problem, ToolError, ToolErrorDetails } from '../../core/tool-error.ts'
import { toolError } from '../../core/tool-error.ts'
import type { ToolSpecification } from '../../core/tool-specification.ts'
import type { CompiledSchema } from '../../schema/compile-schema.ts'
import { allowedValues } from '../../schema/describe-schema.ts'
import type { Fault } from '../../schema/find-faults.ts'
import { flattenSchema } from '../../schema/resolve-schema.ts'
import { sentValue, showValue } from '../../schema/show-value.ts'
import { describeFault } from '../../schema/validate.ts'
import { exampleFor } from '../../wording/example-for.ts'
import { labelParameter } from '../../wording/parameter-label.ts'
import { pickShape, questionFor } from '../../wording/question-for.ts'

const shownCharacters = 200
const listedNeeded = 10

/** A fault with the name or value that was probably meant. */
export interface ExplainedFault extends Fault {
  suggestion?: string
  /** One reading was left: it is listed, but nobody needs to do anything. */
  repaired?: boolean
}

/** The tool error of a call whose arguments do not fit: the first fault asks, all are listed. */
export function explainFaults(
  tool: ToolSpecification,
  compiled: CompiledSchema,
  faults: readonly ExplainedFault[],
  extra: { before?: Problem[]; correction?: Correction } = {},
): ToolError {
  const [first, ...rest] = faults as [ExplainedFault, ...ExplainedFault[]]
  const { errorType, constraint, ...fact } = describeFault(compiled, first)
  const problems = [...(extra.before ?? []), ...faults.map((fault) => describeProblem(compiled, fault))]
  const details: ToolErrorDetails = { ...fact, constraint }
  if (first.value !== undefined) details.value = sentValue(compiled.root, first, shownCharacters)
  if (first.suggestion !== undefined) details.suggestion = first.suggestion
  const allowed =
    first.kind === 'undeclared'
      ? listNames(compiled, first)
      : allowedValues(pickShape(compiled.root, first.place))
  if (allowed) details.allowed = allowed
  const required = flattenSchema(compiled.root, compiled.root).required
  if (required && required.length > 0) details.requiredParameters = required
  const example = exampleFor(tool.parameters)
  if (example !== undefined) details.example = example
  if (extra.correction) details.correction = extra.correction
  details.problems = problems
  return toolError(errorType, askAbout(first, compiled) + alsoNeeded(compiled, first, rest), { details })
}

function askAbout(fault: ExplainedFault, compiled: CompiledSchema): string {
  if (fault.kind !== 'undeclared' || fault.suggestion === undefined) return questionFor(fault, compiled.root)
  return `Question: There is no parameter ${showValue(fault.path.at(-1))}. Did you mean "${fault.suggestion}"?`
}

/** A fault as errors list it. */
export function describeProblem(compiled: CompiledSchema, fault: ExplainedFault): Problem {
  const { constraint: _constraint, ...problem } = describeFault(compiled, fault)
  return fault.suggestion === undefined ? problem : { ...problem, suggestion: fault.suggestion }
}

function listNames(compiled: CompiledSchema, fault: Fault): string[] {
  return Object.keys(pickShape(compiled.root, fault.place).properties ?? {})
}

/** One sentence for what else is missing, so that nobody answers one question at a time. */
function alsoNeeded(
  compiled: CompiledSchema,
  first: ExplainedFault,
  rest: readonly ExplainedFault[],
): string {
  const meant = new Set([first, ...rest].map((fault) => fault.suggestion))
  const needed = rest.filter(
    (fault) => fault.kind === 'missing' && !fault.repaired && !meant.has(String(fault.path.at(-1))),
  )
  if (needed.length === 0) return ''
  const labels = needed
    .slice(0, listedNeeded)
    .map((fault) => labelParameter(fault.path, pickShape(compiled.root, fault.place)).text)
  const more = needed.length - labels.length
  return ` Also needed: ${[...new Set(labels)].join(', ')}${more > 0 ? ` and ${more} more` : ''}.`
}
