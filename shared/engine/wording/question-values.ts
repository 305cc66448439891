import { formatPath } from '../core/json-path.ts'
import type { JsonSchema } from '../core/json-schema.ts'
import type { ToolSpecification } from '../core/tool-specification.ts'
import type { Fault } from '../schema/find-faults.ts'
import { titleField } from './describe-parameter.ts'
import { askedPlace } from './question-for.ts'
import { titleOf } from './tool-title.ts'

/** The tool of a sentence, for clients that translate it. */
export function toolValues(tool: Pick<ToolSpecification, 'name' | 'title'>): {
  tool: string
  toolName: string
} {
  return { tool: titleOf(tool), toolName: tool.name }
}

/** The same for a question about part of a call. */
export function placeValues(
  tool: Pick<ToolSpecification, 'name' | 'title' | 'parameters'>,
  fault: Fault,
  root: JsonSchema = tool.parameters,
): Record<string, unknown> {
  return {
    ...toolValues(tool),
    field: titleField(tool.parameters, fault.path),
    parameter: formatPath(fault.path),
    ...askedPlace(fault, root),
  }
}
