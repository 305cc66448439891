import type { JsonSchema } from '../../shared/engine/core/json-schema.ts'
import type { Random } from '../mcp-tools/valid-call.ts'

/** Some that programs trip over: members of every object (`__proto__` is refused by rule), other scripts, characters of paths. */
const names = [
  'to',
  'subject',
  'amount',
  'startDate',
  'is_urgent',
  'constructor',
  'toString',
  'größe',
  'a.b',
  'a/b[0]',
  '件名',
  'x y',
  'value',
  'arguments',
]
const formats = ['email', 'date', 'date-time', 'uri', 'uuid', 'time']
const deepest = 3

/** The schema of a tool's arguments, another one each time. */
export function makeParameters(random: Random): JsonSchema {
  const isRecursive = random(8) === 0
  const schema = makeObject(random, 0)
  if (!isRecursive) return schema
  const node = { type: 'object', properties: { label: { type: 'string' }, inner: { $ref: '#/$defs/node' } } }
  return { ...schema, properties: { ...schema.properties, tree: { $ref: '#/$defs/node' } }, $defs: { node } }
}

function makeObject(random: Random, depth: number): JsonSchema {
  const own = Array.from({ length: random(5) }, () => pick(names, random))
  const properties = Object.fromEntries(own.map((name) => [name, makeSchema(random, depth + 1)]))
  const required = Object.keys(properties).filter(() => random(2) === 0)
  return {
    type: 'object',
    properties,
    ...(required.length > 0 ? { required } : {}),
    ...(random(3) === 0 ? { additionalProperties: false } : {}),
  }
}

function makeList(random: Random, depth: number): JsonSchema {
  return {
    type: 'array',
    items: makeSchema(random, depth + 1),
    ...(random(3) === 0 ? { minItems: random(3) } : {}),
    ...(random(4) === 0 ? { uniqueItems: true } : {}),
  }
}

function makeText(random: Random): JsonSchema {
  const shapes: readonly JsonSchema[] = [
    { type: 'string' },
    { type: 'string', format: pick(formats, random) },
    { type: 'string', minLength: random(4), maxLength: 40 },
    { type: 'string', enum: ['low', 'high', 'very high', ''].slice(random(3)) },
    { type: 'string', pattern: '^[A-Z]{2}-\\d+$', examples: ['AB-12', 'XY-3'] },
    { type: 'string', const: 'fixed' },
  ]
  return pick(shapes, random)
}

function makeNumber(random: Random): JsonSchema {
  const minimum = random(20) - 10
  const shapes: readonly JsonSchema[] = [
    { type: 'integer' },
    { type: 'number' },
    { type: 'integer', minimum, maximum: minimum + 30 },
    { type: 'number', multipleOf: 5 },
    { type: 'integer', enum: [1, 2, 3] },
  ]
  return pick(shapes, random)
}

function makeSchema(random: Random, depth: number): JsonSchema {
  const kind = random(depth < deepest ? 12 : 8)
  if (kind < 3) return makeText(random)
  if (kind < 5) return makeNumber(random)
  if (kind === 5) return { type: 'boolean', ...(random(2) === 0 ? { default: false } : {}) }
  if (kind === 6) return { type: ['string', 'null'], description: pick(names, random) }
  if (kind === 7) return { ...makeText(random), source: pick(['conversation', 'seen'], random) }
  if (kind === 8) return { anyOf: [makeSchema(random, depth + 1), makeSchema(random, depth + 1)] }
  if (kind === 9) return makeObject(random, depth)
  return makeList(random, depth)
}

export function pick<Item>(items: readonly Item[], random: Random): Item {
  return items[random(items.length)] as Item
}
