import { formatPath, type JsonPath } from '../core/json-path.ts'
import type { ToolSpecification } from '../core/tool-specification.ts'
import { schemaAt } from '../schema/resolve-schema.ts'
import { titleField } from './describe-parameter.ts'
import { pickShape, withHintSentence } from './question-for.ts'
import { titleOf } from './tool-title.ts'

/** The tool of a sentence, for clients that translate it. */
export function toolValues(tool: Pick<ToolSpecification, 'name' | 'title'>): {
  tool: string
  toolName: string
} {
  return { tool: titleOf(tool), toolName: tool.name }
}

/** The same for a question about part of a call; `question` and `hint` are in its author's words. */
export function placeValues(
  tool: Pick<ToolSpecification, 'name' | 'title' | 'parameters'>,
  path: JsonPath,
): Record<string, unknown> {
  const { parameters } = tool
  const { question, hint } = withHintSentence(pickShape(parameters, schemaAt(parameters, path)))
  return {
    ...toolValues(tool),
    field: titleField(parameters, path),
    parameter: formatPath(path),
    ...(question === undefined ? {} : { question }),
    ...(hint ? { hint } : {}),
  }
}
