import type { JsonSchema } from '../schema/json-schema.ts'
import type { ToolError } from './tool-error.ts'

const maxParameters = 8

/** The excerpt of a schema that matters to an error: the required parameters and the faulty ones, one phrase each. */
export function describeParameters(schema: JsonSchema, error: ToolError): string {
  const required = new Set(schema.required ?? [])
  const paths = error.details.problems?.map((problem) => problem.parameter) ?? [error.details.parameter]
  const faulty = new Set(paths.map((path) => path?.split(/[.[]/)[0]))
  return Object.entries(schema.properties ?? {})
    .filter(([name]) => required.has(name) || faulty.has(name))
    .slice(0, maxParameters)
    .map(([name, part]) => `${name} (${describe(part)}${required.has(name) ? ', required' : ''})`)
    .join(', ')
}

const maxEnumValues = 8

function describe(part: JsonSchema | boolean): string {
  if (typeof part === 'boolean') return 'any'
  if (part.enum)
    return `one of ${part.enum
      .slice(0, maxEnumValues)
      .map((value) => JSON.stringify(value))
      .join(', ')}`
  const type = Array.isArray(part.type) ? part.type.join(' or ') : (part.type ?? 'any')
  const items =
    type === 'array' && typeof part.items === 'object' && !Array.isArray(part.items) ? part.items : undefined
  const bounds = [
    part.format,
    part.minimum === undefined ? undefined : `at least ${part.minimum}`,
    part.maximum === undefined ? undefined : `at most ${part.maximum}`,
  ].filter((bound) => bound !== undefined)
  return [items ? `array of ${describe(items)}` : type, ...bounds].join(', ')
}
