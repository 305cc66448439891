import fc from 'fast-check'
import type { JsonSchema } from '../../../shared/engine/core/json-schema.ts'
import type { ToolSpecification } from '../../../shared/engine/core/tool-specification.ts'

/** A schema and a value that it accepts. */
export interface SchemaWithValue {
  schema: JsonSchema
  value: unknown
}

const name = fc.oneof(
  fc.constantFrom(
    'city',
    'city_name',
    'start_date',
    'endDate',
    'count',
    'max_results',
    'to',
    'q',
    'user-id',
    'constructor',
  ),
  fc.stringMatching(/^[a-z][a-zA-Z0-9_-]{0,11}$/),
  fc.string({ minLength: 1, maxLength: 6 }),
)
const text = fc
  .oneof(fc.stringMatching(/^[A-Za-z0-9 ,.<>{}"'-]{1,30}$/), fc.string({ minLength: 1 }))
  .filter((value) => value.trim() !== '')
const description = fc.constantFrom(
  undefined,
  'The name of the thing.',
  "A value, such as 'x'.",
  'Number of results',
)

const texts: fc.Arbitrary<SchemaWithValue> = fc.oneof(
  text.map((value) => ({ schema: { type: 'string' }, value })),
  fc
    .uniqueArray(text, { minLength: 1, maxLength: 5 })
    .chain((values) =>
      fc.constantFrom(...values).map((value) => ({ schema: { type: 'string', enum: values }, value })),
    ),
  fc.constant({ schema: { type: 'string', format: 'email' }, value: 'ann@example.com' }),
  fc.constant({ schema: { type: 'string', format: 'date' }, value: '2025-01-31' }),
  fc.constant({ schema: { type: 'string', format: 'uri' }, value: 'https://example.com/a' }),
  fc.constant<SchemaWithValue>({
    schema: { type: 'string', pattern: '^#W[0-9]{3}$', examples: ['#W000'] },
    value: '#W123',
  }),
)
const numbers: fc.Arbitrary<SchemaWithValue> = fc.oneof(
  fc.integer().map((value) => ({ schema: { type: 'integer' }, value })),
  fc
    .integer({ min: 0, max: 9 })
    .map((value) => ({ schema: { type: 'integer', minimum: 0, maximum: 9 }, value })),
  fc
    .double({ noNaN: true, noDefaultInfinity: true })
    // JSON has no negative zero.
    .map((value) => ({ schema: { type: 'number' }, value: value === 0 ? 0 : value })),
)
const booleans: fc.Arbitrary<SchemaWithValue> = fc
  .boolean()
  .map((value) => ({ schema: { type: 'boolean' }, value }))

const { any, object } = fc.letrec<{
  any: SchemaWithValue
  list: SchemaWithValue
  object: SchemaWithValue
  either: SchemaWithValue
}>((tie) => ({
  any: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    texts,
    numbers,
    booleans,
    tie('list'),
    tie('object'),
    tie('either'),
  ),
  list: fc.tuple(tie('any'), fc.integer({ min: 0, max: 3 })).map(([item, length]) => ({
    schema: { type: 'array', items: item.schema },
    value: Array(length).fill(item.value),
  })),
  either: fc.tuple(tie('any'), tie('any'), fc.boolean()).map(([a, b, first]) => ({
    schema: { anyOf: [a.schema, b.schema, { type: 'null' }] },
    value: (first ? a : b).value,
  })),
  object: fc
    .tuple(
      fc.uniqueArray(fc.tuple(name, tie('any'), fc.boolean(), fc.boolean(), description), {
        selector: ([key]) => key,
        maxLength: 5,
      }),
      fc.boolean(),
    )
    .map(([members, isOpen]) => objectOf(members, isOpen)),
}))

type Member = [
  name: string,
  member: SchemaWithValue,
  required: boolean,
  present: boolean,
  description: string | undefined,
]

function objectOf(members: Member[], isOpen: boolean): SchemaWithValue {
  const properties = Object.fromEntries(
    members.map(([key, { schema }, , , about]) => [
      key,
      about === undefined ? schema : { ...schema, description: about },
    ]),
  )
  const required = members.filter(([, , needed]) => needed).map(([key]) => key)
  const present = members.filter(([, , needed, there]) => needed || there)
  const schema: JsonSchema = {
    type: 'object',
    properties,
    required,
    ...(isOpen ? {} : { additionalProperties: false }),
  }
  return { schema, value: Object.fromEntries(present.map(([key, { value }]) => [key, value])) }
}

/** Any schema with a value that it accepts. */
export const schemaWithValue = any

/** A tool with arguments that it accepts. */
export const toolCall: fc.Arbitrary<{ tool: ToolSpecification; args: Record<string, unknown> }> = object.map(
  ({ schema, value }) => ({
    tool: { name: 'the_tool', description: '', effect: 'write', parameters: schema },
    args: value as Record<string, unknown>,
  }),
)

/** Arguments with something wrong: a member renamed, removed, added, or another value somewhere. */
export function spoiled(args: Record<string, unknown>): fc.Arbitrary<Record<string, unknown>> {
  const other = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    text,
    fc.constantFrom('5', 'true', '5 km', '[]', '{}', '', null, '<as sent>'),
  )
  return fc
    .tuple(
      fc.array(
        fc.tuple(fc.nat(), fc.constantFrom('remove', 'rename', 'add', 'replace', 'wrap'), name, other),
        { maxLength: 4 },
      ),
    )
    .map(([changes]) => {
      let members = Object.entries(args)
      for (const [at, change, key, value] of changes) {
        const index = at % Math.max(members.length, 1)
        const [old, sent] = members[index] ?? [key, value]
        if (change === 'add') members = [...members, [key, value]]
        else {
          const put: Record<string, [string, unknown][]> = {
            remove: [],
            rename: [[key, sent]],
            replace: [[old, value]],
            wrap: [[old, [sent]]],
          }
          members = members.toSpliced(index, 1, ...(put[change] ?? []))
        }
      }
      return Object.fromEntries(members)
    })
}
