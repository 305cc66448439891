import { formatPath } from '../core/json-path.ts'
import type { JsonSchema } from '../core/json-schema.ts'
import type { Problem, ToolErrorType } from '../core/tool-error.ts'
import { type CompiledSchema, compileSchema } from './compile-schema.ts'
import { describeSchema, expectedTypes, showType, typeConstraint, withArticle } from './describe-schema.ts'
import { type Fault, findFaults } from './find-faults.ts'
import { showSent } from './show-value.ts'

/** A problem with its fact as a sentence: `must be a string, got number`. */
export interface DescribedProblem extends Problem {
  errorType: ToolErrorType
  parameter: string
  constraint: string
}

/**
 * Every fault of a value against a JSON Schema (draft 2020-12 or draft-07 style), missing members first, at most 100;
 * empty if it is valid. Compiled once per schema object, without generating code.
 *
 * @example
 * const schema = { type: 'object', properties: { count: { type: 'string' } } }
 * validate(schema, { count: 5 }).map((problem) => problem.constraint) // => ['must be a string, got number']
 */
export function validate(schema: JsonSchema | boolean, value: unknown): DescribedProblem[] {
  const compiled = compileSchema(schema)
  if (compiled.isValid(value)) return []
  return findFaults(compiled, value).map((fault) => describeFault(compiled, fault))
}

const errorTypes: Record<Fault['kind'], ToolErrorType> = {
  missing: 'missing_parameter',
  undeclared: 'unknown_parameter',
  type: 'invalid_type',
  value: 'invalid_value',
}

/** A fault in the form that errors list. */
export function describeFault(compiled: CompiledSchema, fault: Fault): DescribedProblem {
  const { root } = compiled
  const errorType = errorTypes[fault.kind]
  const parameter = formatPath(fault.path)
  if (fault.kind === 'missing') {
    return { errorType, parameter, expected: describeSchema(root, fault.schema), constraint: 'is required' }
  }
  if (fault.kind === 'undeclared')
    return { errorType, parameter, constraint: 'is not a parameter of this tool' }
  if (fault.kind === 'type') {
    const expected = expectedTypes(root, fault.schema)
    const actual = showType(fault.value)
    return {
      errorType,
      parameter,
      expected: expected.join(' or '),
      actual,
      constraint: typeConstraint(expected, actual),
    }
  }
  const expected = describeSchema(root, fault.schema)
  return {
    errorType,
    parameter,
    expected,
    actual: showSent(root, fault),
    constraint: valueConstraint(fault, expected),
  }
}

function valueConstraint(fault: Fault, expected: string): string {
  if (fault.keyword === 'blank') return 'must not be blank'
  if (fault.keyword === 'digits') return 'has more digits than can be kept exactly'
  if (fault.keyword === 'uniqueItems') return 'must not contain duplicates'
  if (fault.keyword === 'minItems' && Array.isArray(fault.value) && fault.value.length === 0)
    return 'must not be empty'
  if (fault.keyword === 'false') return Array.isArray(fault.value) ? 'has too many items' : 'is not allowed'
  return `must be ${withArticle(expected)}`
}
