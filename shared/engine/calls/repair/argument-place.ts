import { type JsonPath, valueAt } from '../../core/json-path.ts'
import type { JsonSchema } from '../../core/json-schema.ts'
import { isObject } from '../../core/json-value.ts'
import { weighNames, weighValue } from '../../schema/branch-weight.ts'
import type { Place } from '../../schema/place.ts'
import { flattenSchema, itemSchema, listAlternatives, listTypes } from '../../schema/resolve-schema.ts'

/** With more names in one object, they do not decide its shape. */
const maxCompared = 100

/** A place inside arguments, with the branches of its schema that the values choose. */
export function placeAt(root: JsonSchema, args: unknown, path: JsonPath): Place {
  let schema: JsonSchema | boolean = root
  let value = args
  for (const key of path) {
    const shape: JsonSchema = isObject(value)
      ? shapeFor(root, schema, value)
      : firstOfType(root, schema, 'array')
    value = valueAt(value, [key])
    schema =
      typeof key === 'number'
        ? (itemSchema(shape, key) ?? {})
        : (shape.properties?.[key] ?? shape.additionalProperties ?? {})
  }
  return { path, schema, value }
}

/** An object inside arguments, with the shape that fits it best. */
export interface ObjectPlace extends Place {
  value: Record<string, unknown>
  shape: JsonSchema
}

/** The object at a path; undefined if there is none. */
export function objectAt(root: JsonSchema, args: unknown, path: JsonPath): ObjectPlace | undefined {
  const { schema, value } = placeAt(root, args, path)
  return isObject(value) ? { path, schema, value, shape: shapeFor(root, schema, value) } : undefined
}

/** The place of a member in an object of a shape. */
export function memberOf(
  { path, shape }: Pick<ObjectPlace, 'path' | 'shape'>,
  name: string,
): Omit<Place, 'value'> {
  return { path: [...path, name], schema: shape.properties?.[name] ?? {} }
}

function firstOfType(root: JsonSchema, place: JsonSchema | boolean, type: string): JsonSchema {
  const shapes = listAlternatives(root, place)
  return shapes.find((shape) => listTypes(shape).includes(type)) ?? shapes[0] ?? {}
}

/** The object shape that fits best with the members an object has and lacks. */
export function shapeFor(
  root: JsonSchema,
  place: JsonSchema | boolean,
  object: Record<string, unknown>,
): JsonSchema {
  const shapes = listAlternatives(root, place).filter(
    (shape) => listTypes(shape).length === 0 || listTypes(shape).includes('object'),
  )
  if (shapes.length === 1) return shapes[0] as JsonSchema
  const weights = new Map(shapes.map((shape) => [shape, weighShape(root, shape, object)]))
  return shapes.sort((a, b) => (weights.get(a) ?? 0) - (weights.get(b) ?? 0))[0] ?? flattenSchema(root, place)
}

function weighShape(root: JsonSchema, shape: JsonSchema, object: Record<string, unknown>): number {
  const { properties = {}, required = [] } = shape
  const members = Object.entries(object).slice(0, maxCompared)
  const undeclared = members.map(([name]) => name).filter((name) => !(name in properties))
  const missing = required.filter((name) => !Object.hasOwn(object, name)).length
  return members
    .filter(([name]) => name in properties)
    .reduce(
      (sum, [name, value]) => sum + weighValue(flattenSchema(root, properties[name]), value),
      weighNames(shape, undeclared) + missing,
    )
}
