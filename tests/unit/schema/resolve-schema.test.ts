import { describe, expect, test } from 'vitest'
import type { JsonPath } from '../../../shared/engine/core/json-path.ts'
import type { JsonSchema } from '../../../shared/engine/core/json-schema.ts'
import { schemaAt } from '../../../shared/engine/schema/resolve-schema.ts'

const email: JsonSchema = { type: 'string', format: 'email' }
const root: JsonSchema = {
  type: 'object',
  properties: {
    to: { type: 'array', items: { $ref: '#/$defs/person' } },
    target: { anyOf: [{ type: 'string' }, { type: 'object', properties: { email } }] },
    pair: { type: 'array', prefixItems: [{ type: 'integer' }] },
  },
  $defs: { person: { type: 'object', properties: { email } } },
}

describe('the schema of a place', () => {
  test.each<[string, JsonPath, JsonSchema | boolean]>([
    ['is the root for an empty path', [], root],
    ['lies behind references and items', ['to', 0, 'email'], email],
    ['is that of the alternative that declares it', ['target', 'email'], email],
    ['is that of the position in a tuple', ['pair', 0], { type: 'integer' }],
    ['is anything where nothing is declared', ['to', 0, 'name'], true],
    ['is nothing that every object has', ['constructor'], true],
  ])('%s', (_name, path, schema) => {
    expect(schemaAt(root, path)).toEqual(schema)
  })
})
