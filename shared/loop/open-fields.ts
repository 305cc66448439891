import type { JsonSchema } from '../schema/json-schema.ts'
import { getAt, parsePath, setAt } from './argument-path.ts'

type Arguments = Record<string, unknown>

/** The form of a call with open places: one property per open path, named like the path, and what is kept. */
export function openFields(
  parameters: JsonSchema,
  args: Arguments,
  open: readonly string[],
): { schema: JsonSchema; values: Arguments } {
  const properties = Object.fromEntries(open.map((path) => [path, fieldAt(parameters, args, path)]))
  const top = parameters.required ?? []
  const required = open.filter((path) => parsePath(path).length > 1 || top.includes(path))
  const values = Object.fromEntries(Object.entries(args).filter(([name]) => !open.includes(name)))
  return {
    schema: { type: 'object', properties, required, ...definitions(parameters) },
    values,
  }
}

function definitions({ $defs, definitions }: JsonSchema): JsonSchema {
  return { ...($defs ? { $defs } : {}), ...(definitions ? { definitions } : {}) }
}

function fieldAt(parameters: JsonSchema, args: Arguments, path: string): JsonSchema {
  let part: JsonSchema | boolean | undefined = parameters
  for (const key of parsePath(path)) {
    if (typeof part !== 'object') break
    if (typeof key === 'number') part = Array.isArray(part.items) ? part.items[key] : part.items
    else part = part.properties?.[key]
  }
  const schema = typeof part === 'object' ? part : {}
  const slot = getAt(args, path)
  if (schema.description !== undefined || typeof slot !== 'string') return schema
  return { ...schema, description: slot.replace(/^<|>$/g, '') }
}

/**
 * The call with a person's values: by open path, or by parameter name for what they corrected besides.
 */
export function fillOpenFields(args: Arguments, open: readonly string[], values: Arguments): Arguments {
  return Object.entries(values).reduce<Arguments>((filled, [name, value]) => {
    const path = open.includes(name) ? parsePath(name) : [name]
    return setAt(filled, path, value) as Arguments
  }, args)
}
