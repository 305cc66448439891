import { isObject } from '../../../../shared/engine/core/json-value.ts'

/**
 * Takes out of a list of tools what the SDK would refuse all of it for: members of the wrong type, and tools that cannot be
 * called. Leaves every other message as it is.
 */
export function mendTools(message: object): void {
  const result = 'result' in message && isObject(message.result) ? message.result : {}
  if (Array.isArray(result.tools)) result.tools = result.tools.flatMap(mendTool)
}

function mendTool(tool: unknown): object[] {
  if (!isObject(tool) || typeof tool.name !== 'string') return []
  const { name, title, description, inputSchema = {}, outputSchema, annotations } = tool
  if (!isSchema(inputSchema)) return []
  return [
    {
      name,
      inputSchema: { ...inputSchema, type: 'object' },
      ...(typeof title === 'string' && { title }),
      ...(typeof description === 'string' && { description }),
      ...(isSchema(outputSchema) && outputSchema.type === 'object' && { outputSchema }),
      ...(isObject(annotations) && { annotations: mendAnnotations(annotations) }),
    },
  ]
}

/** Of an object, as far as the SDK looks at it. */
function isSchema(schema: unknown): schema is Record<string, unknown> {
  if (!isObject(schema)) return false
  const { type = 'object', $schema = '', properties = {}, required = [] } = schema
  const areNames = Array.isArray(required) && required.every((name) => typeof name === 'string')
  return type === 'object' && typeof $schema === 'string' && isObject(properties) && areNames
}

function mendAnnotations(annotations: Record<string, unknown>): object {
  const isKept = ([name, value]: [string, unknown]) =>
    name === 'title' ? typeof value === 'string' : typeof value === 'boolean'
  return Object.fromEntries(Object.entries(annotations).filter(isKept))
}
