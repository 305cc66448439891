import { parameterAt, parsePath, readPaths, removeAt, setAt, valueAt } from '../core/json-path.ts'
import type { JsonSchema } from '../core/json-schema.ts'
import { isObject } from '../core/json-value.ts'
import { schemaAt } from '../schema/resolve-schema.ts'
import { titleField } from '../wording/describe-parameter.ts'

type Arguments = Record<string, unknown>

/**
 * The form of a call with open places: one property per open path, named like the path, and the known values. `choices`:
 * what each of them can be, if that is only known now.
 */
export function openFields(
  parameters: JsonSchema,
  args: Arguments,
  open: readonly string[],
  choices?: readonly unknown[],
): { schema: JsonSchema; values: Arguments } {
  const limited = choices ? { enum: [...choices] } : {}
  const properties = Object.fromEntries(
    open.map((path) => [path, { ...fieldAt(parameters, args, path), ...limited }]),
  )
  const top = parameters.required ?? []
  const required = open.filter((path) => top.includes(path) || (parsePath(path) ?? []).length > 1)
  return {
    schema: { type: 'object', properties, required, ...definitions(parameters) },
    values: withoutSlots(args, open),
  }
}

/** The parameters in which something is open. */
export function openParameters(open: readonly string[]): string[] {
  return [...new Set(readPaths(open).map(parameterAt))]
}

/** A call for a sentence: three dots for each value that is still to be filled in, and undefined until then. */
export function showOpen(args: Arguments): Arguments {
  const show = (value: unknown): unknown => {
    if (value === undefined) return '…'
    if (Array.isArray(value)) return value.map(show)
    return isObject(value) ? showOpen(value) : value
  }
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [name, show(value)]))
}

/** The known values without slot texts; an open list item stays as `null`, so that the others keep their places. */
function withoutSlots(args: Arguments, open: readonly string[]): Arguments {
  const kept = structuredClone(args)
  for (const path of readPaths(open)) {
    if (typeof path.at(-1) === 'number') setAt(kept, path, null)
    else removeAt(kept, path)
  }
  return kept
}

function definitions({ $defs, definitions }: JsonSchema): JsonSchema {
  return { ...($defs ? { $defs } : {}), ...(definitions ? { definitions } : {}) }
}

function fieldAt(parameters: JsonSchema, args: Arguments, path: string): JsonSchema {
  const steps = parsePath(path) ?? []
  const place = schemaAt(parameters, steps)
  const schema = typeof place === 'object' ? place : {}
  const slot = valueAt(args, steps)
  const field = { ...schema, title: titleField(parameters, steps) }
  if (schema.description !== undefined || typeof slot !== 'string') return field
  return { ...field, description: slot.replace(/^<|>$/g, '') }
}

/** The call with a person's values: by open path, or by parameter name for whatever else they corrected. */
export function fillOpenFields(args: Arguments, open: readonly string[], values: Arguments): Arguments {
  const filled = structuredClone(args)
  for (const [name, value] of Object.entries(values)) {
    setAt(filled, open.includes(name) ? (parsePath(name) ?? [name]) : [name], value)
  }
  return filled
}
