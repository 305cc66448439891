import type { JsonSchema } from '../../core/json-schema.ts'
import type { ToolSpecification } from '../../core/tool-specification.ts'
import { toOpenApiSchema } from './openapi-schema.ts'
import { toStrictSchema } from './strict-schema.ts'
import { flatRoot, plainSchema } from './wire-schema.ts'

/** How a server wants the schemas of tools: JSON Schema, OpenAI's strict form, or Gemini's part of OpenAPI. */
export type SchemaForm = 'plain' | 'strict' | 'openapi'

interface WiredTool {
  sentName: string
  /** JSON text. */
  text: string
}

/** Kept per specification: a specification does not change once it has been sent. */
const wired: Record<SchemaForm, WeakMap<ToolSpecification, WiredTool>> = {
  plain: new WeakMap(),
  strict: new WeakMap(),
  openapi: new WeakMap(),
}

/** The `tools` of a request as JSON text; `names` are the ones of `wireNames`. */
export function wireTools(
  tools: readonly ToolSpecification[],
  form: SchemaForm,
  names: ReadonlyMap<string, string> | undefined,
): string {
  const known = wired[form]
  let text = ''
  for (const tool of tools) {
    const sentName = names?.get(tool.name) ?? tool.name
    let piece = known.get(tool)
    if (piece?.sentName !== sentName) {
      piece = { sentName, text: JSON.stringify(wireTool(tool, sentName, form)) }
      known.set(tool, piece)
    }
    text += text === '' ? piece.text : `,${piece.text}`
  }
  return `[${text}]`
}

function wireTool({ description, parameters }: ToolSpecification, name: string, form: SchemaForm): unknown {
  return { type: 'function', function: { name, description, ...schemaMembers(parameters, form) } }
}

function schemaMembers(
  parameters: JsonSchema,
  form: SchemaForm,
): { parameters?: JsonSchema | undefined; strict?: true } {
  const plain = plainSchema(parameters)
  const strict = form === 'strict' ? toStrictSchema(plain) : undefined
  if (strict !== undefined) return { parameters: strict, strict: true }
  const flat = flatRoot(plain)
  return { parameters: form === 'openapi' ? toOpenApiSchema(flat) : flat }
}
