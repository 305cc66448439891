import type { JsonSchema } from '../../../engine/core/json-schema.ts'
import { everySchema } from './subschemas.ts'

/**
 * Takes out of a schema, part of which was not read, every keyword by which a part that accepts more makes the whole accept
 * less: what must not fit, what depends on a condition, what only one alternative may fit, what nothing else has named.
 */
export function acceptMore(root: JsonSchema): void {
  for (const schema of everySchema(root)) {
    const { oneOf } = schema
    for (const keyword of ['not', 'if', 'then', 'else', 'oneOf', 'maxContains'] as const)
      delete schema[keyword]
    for (const keyword of ['unevaluatedProperties', 'unevaluatedItems'] as const) delete schema[keyword]
    if (oneOf && schema.anyOf) schema.allOf = [...(schema.allOf ?? []), { anyOf: oneOf }]
    else if (oneOf) schema.anyOf = oneOf
  }
}
