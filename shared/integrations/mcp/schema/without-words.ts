import { canonicalJson } from '../../../engine/core/canonical-json.ts'
import type { JsonSchema } from '../../../engine/core/json-schema.ts'
import { isObject } from '../../../engine/core/json-value.ts'

const words = new Set(['title', 'description', 'examples', 'default', 'writeOnly'])
const maps = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'])
const values = new Set(['enum', 'const', 'required', 'type', 'dependentRequired'])

/** A schema as text, without what is only said: two schemas with the same text take the same. */
export function rulesOf(schema: unknown): string {
  return canonicalJson(withoutWords(schema))
}

function withoutWords(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutWords)
  if (!isObject(schema)) return schema
  return Object.fromEntries(
    Object.entries(schema as JsonSchema).flatMap(([keyword, value]): [string, unknown][] => {
      if (words.has(keyword)) return []
      if (values.has(keyword)) return [[keyword, value]]
      if (!maps.has(keyword) || !isObject(value)) return [[keyword, withoutWords(value)]]
      return [
        [keyword, Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withoutWords(one)]))],
      ]
    }),
  )
}
