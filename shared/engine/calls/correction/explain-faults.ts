import { showValue } from '../../../words/list-values.ts'
import { type Said, sentenceOf } from '../../core/asked.ts'
import { formatPath, isSamePath } from '../../core/json-path.ts'
import type { Problem, ToolError, ToolErrorDetails } from '../../core/tool-error.ts'
import { toolError } from '../../core/tool-error.ts'
import type { ToolSpecification } from '../../core/tool-specification.ts'
import type { CompiledSchema } from '../../schema/compile-schema.ts'
import { type Fault, missingAt } from '../../schema/find-faults.ts'
import { listChoices, pickShape } from '../../schema/resolve-schema.ts'
import { sentValue } from '../../schema/show-value.ts'
import { describeFault } from '../../schema/validate.ts'
import { titleField } from '../../wording/describe-parameter.ts'
import { exampleFor } from '../../wording/example-for.ts'
import { labelParameter } from '../../wording/parameter-label.ts'
import { isMissing, questionFor } from '../../wording/question-for.ts'
import { placeValues, toolValues } from '../../wording/question-values.ts'
import { type CorrectedArguments, writeCorrection } from './correct-arguments.ts'
import type { OpenPlace } from './correction-draft.ts'

const shownCharacters = 200

/** A fault with the name or value that was probably meant. */
export interface ExplainedFault extends Fault {
  suggestion?: string
  /** There was only one reading: it is listed, but nobody has to act. */
  repaired?: boolean
}

/** The tool error of a call with invalid arguments: the question is about the first fault, all are listed. */
export function explainFaults(
  tool: ToolSpecification,
  compiled: CompiledSchema,
  faults: readonly ExplainedFault[],
  extra: { before?: Problem[]; corrected?: CorrectedArguments | undefined } = {},
): ToolError {
  const [first, ...rest] = faults as [ExplainedFault, ...ExplainedFault[]]
  const { errorType, constraint, ...fact } = describeFault(compiled, first)
  const problems = [...(extra.before ?? []), ...faults.map((fault) => describeProblem(compiled, fault))]
  const details: ToolErrorDetails = { ...fact, constraint }
  if (first.value !== undefined) details.value = sentValue(compiled.root, first, shownCharacters)
  if (first.suggestion !== undefined) details.suggestion = first.suggestion
  const allowed =
    first.kind === 'undeclared' ? listNames(compiled, first) : listChoices(compiled.root, first.schema)
  if (allowed) details.allowed = allowed
  const required = compiled.flat.required
  if (required && required.length > 0) details.requiredParameters = required
  const example = exampleFor(tool.parameters)
  if (example !== undefined) details.example = example
  const correction = writeCorrection(tool, extra.corrected)
  if (correction) details.correction = correction
  details.problems = problems
  const needed = alsoNeeded(compiled, first, rest)
  details.asked = askedAboutFaults(tool, compiled, faults, extra.corrected?.open ?? [])
  const question = sentenceOf({ asked: askAbout(first, compiled), alsoNeeded: needed })
  return toolError(errorType, question, { details })
}

/**
 * The question for people: about the first field of the form. Only the model has to know that it made up a name.
 */
function askedAboutFaults(
  tool: ToolSpecification,
  compiled: CompiledSchema,
  faults: readonly ExplainedFault[],
  open: readonly OpenPlace[],
): Said {
  const { root } = compiled
  const atOpen = (fault: Fault) => open.some(({ path }) => isSamePath(path, fault.path))
  const real = faults.filter(({ kind, repaired }) => kind !== 'undeclared' && !repaired)
  const [gap] = open
  const fault: Fault | undefined = real.find(atOpen) ?? (gap && missingAt(gap)) ?? real[0]
  if (!fault) {
    return { code: 'value_not_taken', values: toolValues(tool) }
  }
  const others = open.length > 0 ? open : real
  const besides = others.filter(({ path }) => !isSamePath(path, fault.path))
  const labels = new Map(besides.map(({ path }) => [titleField(root, path), formatPath(path)]))
  const also = labels.size > 0 ? { also: [...labels.values()], needed: [...labels.keys()] } : {}
  return {
    code: isMissing(fault) ? 'value_missing' : 'value_unfit',
    values: { ...placeValues(tool, fault, root), ...also },
  }
}

function askAbout(fault: ExplainedFault, compiled: CompiledSchema): string {
  if (fault.kind !== 'undeclared' || fault.suggestion === undefined) return questionFor(fault, compiled.root)
  return `Question: There is no parameter ${showValue(fault.path.at(-1))}. Did you mean "${fault.suggestion}"?`
}

/** A fault in the form that errors list. */
export function describeProblem(compiled: CompiledSchema, fault: ExplainedFault): Problem {
  const { constraint: _constraint, ...problem } = describeFault(compiled, fault)
  return fault.suggestion === undefined ? problem : { ...problem, suggestion: fault.suggestion }
}

function listNames(compiled: CompiledSchema, fault: Fault): string[] {
  return Object.keys(pickShape(compiled.root, fault.schema).properties ?? {})
}

/** What else is missing, so that nobody has to answer one question at a time. */
function alsoNeeded(
  compiled: CompiledSchema,
  first: ExplainedFault,
  rest: readonly ExplainedFault[],
): string[] {
  const meant = new Set([first, ...rest].map((fault) => fault.suggestion))
  const needed = rest.filter(
    (fault) => fault.kind === 'missing' && !fault.repaired && !meant.has(String(fault.path.at(-1))),
  )
  const labels = needed.map(
    (fault) => labelParameter(fault.path, pickShape(compiled.root, fault.schema)).text,
  )
  return [...new Set(labels)]
}
