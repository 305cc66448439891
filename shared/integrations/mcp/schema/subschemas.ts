import type { JsonSchema } from '../../../engine/core/json-schema.ts'
import { isObject } from '../../../engine/core/json-value.ts'

/** A schema inside of another one. */
export interface Subschema {
  schema: JsonSchema
  /** Where its values stand in those of the schema around it: a member's name, `*` for any, `[]` for items, '' for itself. */
  step: string
}

/** Keywords that hold schemas, each with its step; `.` stands for the names of members. */
const steps = new Map([
  ...together('allOf anyOf oneOf not if then else dependentSchemas', ''),
  ...together('items prefixItems additionalItems unevaluatedItems contains', '[]'),
  ...together('additionalProperties unevaluatedProperties patternProperties', '*'),
  ...together('properties', '.'),
])
const maps = new Set(['properties', 'patternProperties', 'dependentSchemas'])

function together(keywords: string, step: string): [string, string][] {
  return keywords.split(' ').map((keyword) => [keyword, step])
}

/** The schemas inside of a copy from `readSchema`, without its definitions, which apply only where they are referred to. */
export function subschemasOf(schema: JsonSchema): Subschema[] {
  const found: Subschema[] = []
  for (const keyword of Object.keys(schema)) {
    const step = steps.get(keyword)
    if (step === undefined) continue
    const value = schema[keyword]
    if (!maps.has(keyword)) {
      for (const one of [value].flat()) if (isSchema(one)) found.push({ schema: one, step })
    } else if (isObject(value)) {
      for (const [name, one] of Object.entries(value))
        if (isSchema(one)) found.push({ schema: one, step: step === '.' ? `.${name}` : step })
    }
  }
  return found
}

export function isSchema(value: unknown): value is JsonSchema {
  return isObject(value)
}

/** Every schema of the document, those of its definitions too. */
export function everySchema(root: JsonSchema): JsonSchema[] {
  const found: JsonSchema[] = []
  const visit = (schema: JsonSchema) => {
    found.push(schema)
    const { $defs = {}, definitions = {}, propertyNames } = schema
    const others = [...Object.values($defs), ...Object.values(definitions), propertyNames].filter(isSchema)
    for (const inner of [...subschemasOf(schema).map((one) => one.schema), ...others]) visit(inner)
  }
  visit(root)
  return found
}
