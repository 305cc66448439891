import type { Random } from './valid-call.ts'

type Json = Record<string, unknown>

/** Values that belong nowhere in particular. */
const junk: readonly unknown[] = [
  null,
  7,
  -1,
  'x',
  '',
  true,
  false,
  [],
  {},
  [null],
  [{}],
  ['a', 'a'],
  { $ref: '#' },
  { type: 'string' },
  [{ type: 'string' }, { $ref: '#/nowhere' }],
  '\ud800',
  'nul\u0000',
  Number.NaN,
]
const keywords =
  '$ref $anchor type enum const format pattern minLength maxLength minimum maximum exclusiveMinimum multipleOf properties patternProperties required additionalProperties propertyNames items prefixItems minItems maxItems uniqueItems contains maxContains anyOf oneOf allOf not if then dependentRequired dependentSchemas dependencies unevaluatedProperties nullable default examples title description question source aliases json anyDepth $defs'.split(
    ' ',
  )
const references = [
  '#',
  '#/properties',
  '#/$defs/a',
  '#/definitions/b',
  '#/nowhere',
  '#a',
  'https://elsewhere.example/',
]
const patterns = ['^(a+)+$', '[', '(?<=a)b', '^[a-z]+$', '\\p{L}+', '\\-', '(.*a){9}', '^.{1,9}$']
const types = ['any', 'file', 'str', 'string', 'object', 'array', ['string', 'file'], ['object', 'null'], []]
const formats = ['int64', 'decimal', 'markdown', 'email', 'uri', 'password', 'date']
const names = [
  '__proto__',
  'constructor',
  'toString',
  '',
  'a\u0000b',
  '\ud800',
  'a.b[0]',
  '\u202etxt',
  'x'.repeat(3_000),
]

/** Ways to spoil one schema, each in place. */
const ways: readonly ((place: Json, random: Random) => void)[] = [
  (place, random) => {
    place[pick(keywords, random)] = structuredClone(pick(junk, random))
  },
  (place, random) => {
    place.$ref = pick(references, random)
  },
  (place, random) => {
    place.pattern = pick(patterns, random)
  },
  (place, random) => {
    place.type = pick(types, random)
  },
  (place, random) => {
    place.format = pick(formats, random)
  },
  (place, random) => {
    place.properties = { ...(place.properties as Json), [pick(names, random)]: { type: 'string' } }
  },
  (place, random) => {
    place.required = [pick(names, random)]
  },
  (place, random) => {
    const inner = structuredClone(place)
    for (const key of Object.keys(place)) delete place[key]
    const keyword = pick(['anyOf', 'oneOf', 'allOf', 'not', 'if'], random)
    place[keyword] = keyword === 'not' || keyword === 'if' ? inner : [inner, structuredClone(inner)]
    if (keyword === 'if') place.else = false
  },
  (place, random) => {
    place.anyOf = [{ $ref: '#/$defs/a' }, { $ref: pick(references, random) }]
  },
  (place) => {
    place.inside = place
    place.properties = { ...(place.properties as Json), again: place }
  },
  (place) => {
    let deep: Json = {}
    for (let depth = 0; depth < 200; depth++) deep = { items: deep }
    place.items = deep
  },
]
const definitions = {
  a: { anyOf: [{ $ref: '#/$defs/a' }, { type: 'object', properties: { x: { $ref: '#/$defs/a' } } }] },
  b: { $ref: '#/$defs/b' },
}

/**
 * A tool of a server, spoiled in one to three places of its schema, and now and then in its own members, another way for each
 * call with the same sequence of numbers. It may hold itself.
 */
export function spoilDefinition(tool: Json, random: Random): Json {
  const spoiled = structuredClone(tool)
  const schema = (spoiled.inputSchema ?? {}) as Json
  if (random(2) === 0) schema.$defs = structuredClone(definitions)
  if (random(6) === 0) schema.$schema = 'http://json-schema.org/draft-07/schema#'
  const places = placesIn(schema)
  const count = 1 + random(3)
  for (let index = 0; index < count; index++) pick(ways, random)(pick(places, random), random)
  if (random(5) === 0) {
    const member = pick(
      ['name', 'title', 'description', 'inputSchema', 'outputSchema', 'annotations'],
      random,
    )
    spoiled[member] = pick(junk, random)
  }
  return spoiled
}

/** The objects inside a schema that may be schemas. */
function placesIn(schema: Json): Json[] {
  const found: Json[] = [schema]
  for (const keyword of ['properties', '$defs', 'definitions'])
    for (const inner of Object.values((schema[keyword] ?? {}) as Json))
      if (isObject(inner)) found.push(...placesIn(inner))
  for (const keyword of ['items', 'anyOf', 'oneOf', 'allOf'])
    for (const inner of [schema[keyword]].flat()) if (isObject(inner)) found.push(...placesIn(inner))
  return found
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function pick<Item>(items: readonly Item[], random: Random): Item {
  return items[random(items.length)] as Item
}
