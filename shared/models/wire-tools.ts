import type { JsonSchema } from '../schema/json-schema.ts'
import type { ToolSpecification } from '../tools/tool-specification.ts'
import { toStrictSchema } from './strict-schema.ts'

/** Keywords that only we read: they would cost tokens, and some servers refuse what they do not know. */
const ours = new Set(['question', 'hint', 'aliases', 'source', '$schema'])

/** Keywords whose members are schemas by name, so that a parameter called `source` is kept. */
const mapsOfSchemas = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'])

/** Keywords whose value is data, not a schema. */
const data = new Set(['enum', 'const', 'default', 'examples', 'required'])

const plainTools = new WeakMap<ToolSpecification, string>()
const strictTools = new WeakMap<ToolSpecification, string>()

/**
 * The `tools` of a request as JSON text. It is kept per specification: a specification does not change
 * once it has been sent.
 */
export function wireTools(tools: readonly ToolSpecification[], strict: boolean): string {
  const known = strict ? strictTools : plainTools
  let text = ''
  for (const tool of tools) {
    let piece = known.get(tool)
    if (piece === undefined) {
      piece = JSON.stringify(wireTool(tool, strict))
      known.set(tool, piece)
    }
    text += text === '' ? piece : `,${piece}`
  }
  return `[${text}]`
}

function wireTool({ name, description, parameters }: ToolSpecification, strict: boolean): unknown {
  const plain = wireSchema(parameters)
  const converted = strict ? toStrictSchema(plain) : undefined
  return {
    type: 'function',
    function: {
      name: wireName(name),
      description,
      parameters: converted ?? plain,
      ...(converted === undefined ? {} : { strict: true }),
    },
  }
}

/**
 * A tool name that every server takes: OpenAI's pattern is `^[a-zA-Z0-9_-]{1,64}$`.
 *
 * @example
 * wireName('docs.search') // => 'docs_search'
 */
export function wireName(name: string): string {
  return /^[\w-]{1,64}$/.test(name) ? name : name.replace(/[^\w-]/g, '_').slice(0, 64) || '_'
}

/** Wire names that differ from their tool's own name, to read answers with. */
export function renamedTools(tools: readonly ToolSpecification[]): ReadonlyMap<string, string> | undefined {
  let renamed: Map<string, string> | undefined
  for (const { name } of tools) {
    const sent = wireName(name)
    if (sent === name) continue
    renamed ??= new Map()
    renamed.set(sent, name)
  }
  return renamed
}

function wireSchema(schema: JsonSchema): JsonSchema {
  return { type: 'object', properties: {}, ...(withoutOurs(schema) as JsonSchema) }
}

function withoutOurs(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutOurs)
  if (typeof schema !== 'object' || schema === null) return schema
  const result: Record<string, unknown> = {}
  for (const [keyword, value] of Object.entries(schema)) {
    if (ours.has(keyword)) continue
    if (data.has(keyword)) result[keyword] = value
    else if (mapsOfSchemas.has(keyword) && typeof value === 'object' && value !== null) {
      result[keyword] = Object.fromEntries(
        Object.entries(value).map(([name, member]) => [name, withoutOurs(member)]),
      )
    } else result[keyword] = withoutOurs(value)
  }
  // A hint describes a parameter well enough where nobody wrote a description.
  const { hint } = schema as JsonSchema
  if (result.description === undefined && typeof hint === 'string') result.description = hint
  return result
}
