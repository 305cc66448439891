import { type JsonPath, parameterAt, readPath, removeAt, setAt } from '../core/json-path.ts'
import type { JsonSchema } from '../core/json-schema.ts'
import { isObject } from '../core/json-value.ts'
import { declaredPlace, type Place } from '../schema/place.ts'
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
  const places = open.map((name) => ({ name, ...declaredPlace({ parameters, args }, readPath(name)) }))
  const properties = Object.fromEntries(
    places.map((place) => [place.name, { ...fieldOf(parameters, place), ...limited }]),
  )
  const top = parameters.required ?? []
  const required = places.filter(({ name, path }) => top.includes(name) || path.length > 1)
  return {
    schema: {
      type: 'object',
      properties,
      required: required.map(({ name }) => name),
      ...definitions(parameters),
    },
    values: withoutSlots(args, places),
  }
}

/** The parameters in which something is open. */
export function openParameters(open: readonly string[]): string[] {
  return [...new Set(open.map(readPath).map(parameterAt))]
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
function withoutSlots(args: Arguments, places: readonly { path: JsonPath }[]): Arguments {
  const kept = structuredClone(args)
  for (const { path } of places) {
    if (typeof path.at(-1) === 'number') setAt(kept, path, null)
    else removeAt(kept, path)
  }
  return kept
}

function definitions({ $defs, definitions }: JsonSchema): JsonSchema {
  return { ...($defs ? { $defs } : {}), ...(definitions ? { definitions } : {}) }
}

/** The field of a place, described by its slot if its schema says nothing. */
function fieldOf(parameters: JsonSchema, { path, schema: declared, value: slot }: Place): JsonSchema {
  const schema = typeof declared === 'object' ? declared : {}
  const field = { ...schema, title: titleField(parameters, path) }
  if (schema.description !== undefined || typeof slot !== 'string') return field
  return { ...field, description: slot.replace(/^<|>$/g, '') }
}

/**
 * The call with a person's values: by open path, or by parameter name for whatever else they corrected. A list of nothing
 * but empty texts, as forms make it of a field that was left empty, fills in nothing.
 */
export function fillOpenFields(args: Arguments, open: readonly string[], values: Arguments): Arguments {
  const filled = structuredClone(args)
  for (const [name, value] of Object.entries(values)) {
    if (open.includes(name) && isLeftEmpty(value)) continue
    setAt(filled, open.includes(name) ? readPath(name) : [name], value)
  }
  return filled
}

function isLeftEmpty(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((item) => typeof item === 'string' && item.trim() === '')
  )
}
