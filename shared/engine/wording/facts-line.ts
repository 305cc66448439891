import { clipText } from '../core/clip-text.ts'
import { parameterAt, readPath } from '../core/json-path.ts'
import type { JsonSchema } from '../core/json-schema.ts'
import type { Problem, ToolError } from '../core/tool-error.ts'
import { describeSchema, withArticle } from '../schema/describe-schema.ts'
import { flattenSchema } from '../schema/resolve-schema.ts'

/** Every fault of a call, starting with the one that the error is about; the error itself if it lists none. */
function listProblems({ errorType, details }: ToolError): Problem[] {
  const { problems = [], parameter } = details
  if (problems.length === 0) return [{ errorType, ...details }]
  const main = problems.find((fault) => fault.errorType === errorType && fault.parameter === parameter)
  return main ? [main, ...problems.filter((fault) => fault !== main)] : problems
}

/** Type and path of a fault: `missing_parameter "to"`. */
function faultName({ errorType, parameter }: Problem): string {
  return parameter ? `${errorType} "${parameter}"` : errorType
}

/** What is known about each fault, in several wordings, the fullest first. */
export function describeFacts(error: ToolError): [string, ...string[]][] {
  return listProblems(error).map((problem, index) => {
    const { errorType, parameter, expected, suggestion } = problem
    const name = faultName(problem)
    const meant = suggestion && parameter ? ` (did you mean "${suggestion}"?)` : ''
    if (errorType === 'missing_parameter') return expected ? [`${name} (${expected})`, name] : [name]
    // Don't repeat what the question already says.
    const actual = problem.actual && !error.error.includes(problem.actual) ? problem.actual : undefined
    const constraint =
      index === 0 || parameter === error.details.parameter ? error.details.constraint : undefined
    const rule =
      constraint ?? (expected && `must be ${withArticle(expected)}${actual ? `, got ${actual}` : ''}`)
    const plain = `${name}${rule ? `: ${rule}` : ''}`
    const isTypeFault = index === 0 && errorType === 'invalid_type' && expected && problem.actual
    const received = ` (Parameter "${parameter}": expected ${expected}, received ${problem.actual})`
    return [`${plain}${isTypeFault ? received : ''}${meant}`, `${plain}${meant}`, `${name}${meant}`, name]
  })
}

const faultsPerAttempt = 3

/** Path and fault of an earlier attempt, never its arguments: models repeat what they read. */
export function describeAttempt(error: ToolError, index: number): string {
  const faults = listProblems(error).map(faultName)
  const rest = faults.length > faultsPerAttempt ? ', …' : ''
  return `${index + 1}. ${faults.slice(0, faultsPerAttempt).join(', ')}${rest}`
}

const maxParameters = 8
const maxPhrase = 60

/** The part of a schema that matters to an error: the faulty parameters, then the required ones, a phrase each. */
export function describeParameters(root: JsonSchema, error: ToolError): string[] {
  const { properties = {}, required = [] } = flattenSchema(root, root)
  const paths = error.details.problems?.map((problem) => problem.parameter) ?? [error.details.parameter]
  const faulty = paths.map((path) => parameterAt(readPath(path ?? '')))
  return [...new Set([...faulty, ...required])]
    .filter((name) => Object.hasOwn(properties, name))
    .slice(0, maxParameters)
    .map((name) => {
      const phrase = describeSchema(root, properties[name] ?? true)
      return `${name} (${clipText(phrase, maxPhrase)}${required.includes(name) ? ', required' : ''})`
    })
}
