import { clipText } from '../../core/clip-text.ts'
import type { JsonSchema } from '../../core/json-schema.ts'
import type { ToolSpecification } from '../../core/tool-specification.ts'
import { toOpenApiSchema } from './openapi-schema.ts'
import { cutSchema, toPlainestSchema, toTypedSchema } from './plain-schema.ts'
import type { ToolRules } from './tool-rules.ts'
import { type WireKeys, wireKeys } from './wire-keys.ts'
import { flattenRoot, simplifySchema } from './wire-schema.ts'

/** The rules for the definition of one tool. */
export type RulesOf = (tool: ToolSpecification) => ToolRules

/** The `tools` of a request; `names` come from `wireNames`. */
export function wireTools(
  tools: readonly ToolSpecification[],
  rulesOf: RulesOf,
  names: ReadonlyMap<string, string> | undefined,
): unknown[] {
  return tools.map((tool) => wireTool(tool, rulesOf(tool), names))
}

/** One tool as a server reads it. */
export function wireTool(
  { name, description, parameters }: ToolSpecification,
  rules: ToolRules,
  names: ReadonlyMap<string, string> | undefined,
): unknown {
  const { description: longest = Number.POSITIVE_INFINITY } = rules
  return {
    type: 'function',
    function: {
      name: names?.get(name) ?? name,
      description: description.length > longest ? clipText(description, longest) : description,
      parameters: wireSchema(parameters, rules),
    },
  }
}

/** The names of the parameters on the wire, for the tools that have others there; undefined if all are sent unchanged. */
export function keysOf(
  tools: readonly ToolSpecification[],
  rulesOf: RulesOf,
): ReadonlyMap<string, WireKeys> | undefined {
  let keys: Map<string, WireKeys> | undefined
  for (const tool of tools) {
    const own = renamedKeys(tool.parameters, rulesOf(tool))
    if (own) keys = (keys ?? new Map()).set(tool.name, own)
  }
  return keys
}

function renamedKeys(parameters: JsonSchema, { keys }: ToolRules): WireKeys | undefined {
  return keys && wireKeys(parameters, keys)
}

/** Cached schemas: converting them takes half a millisecond of every request with thirty tools. */
const made = new WeakMap<ToolRules, WeakMap<JsonSchema, JsonSchema | undefined>>()

function wireSchema(parameters: JsonSchema, rules: ToolRules): JsonSchema | undefined {
  const schemas = made.get(rules) ?? new WeakMap<JsonSchema, JsonSchema | undefined>()
  if (schemas.has(parameters)) return schemas.get(parameters)
  const schema = convert(renamedKeys(parameters, rules)?.schema ?? parameters, rules)
  schemas.set(parameters, schema)
  made.set(rules, schemas)
  return schema
}

function convert(
  parameters: JsonSchema,
  { form, depth = Number.POSITIVE_INFINITY }: ToolRules,
): JsonSchema | undefined {
  const flat = flattenRoot(simplifySchema(parameters))
  if (form === 'openapi') return toOpenApiSchema(flat)
  if (form === 'plainest') return toPlainestSchema(flat, depth)
  const schema = form === 'typed' ? toTypedSchema(flat) : flat
  return depth === Number.POSITIVE_INFINITY ? schema : cutSchema(schema, depth)
}
