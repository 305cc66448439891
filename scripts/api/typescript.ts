import { isDeepStrictEqual } from 'node:util'
import { nameOf, type Schema } from './json-schemas.ts'

/** Types that the client has of its own, more exact than JSON Schema can say it. */
const own: Record<string, string> = { Message: 'ChatMessage' }

/** The types of the web client: an interface for each schema that has a name. */
export function makeTypes(components: Record<string, Schema>): string {
  const types = Object.entries(components)
    .filter(([name]) => !(name in own))
    .map(([name, schema]) => declare(name, schema, findBase(schema, components)))
  return `// Made of the schemas in shared/api by \`npx tsx scripts/api.ts\`: do not change it by hand.
import type { ChatMessage, FormSchema } from './message.ts'

${types.join('\n\n')}
`
}

function declare(name: string, schema: Schema, [base, inherited]: Base): string {
  const comment = schema.description ? `/** ${schema.description} */\n` : ''
  if (schema.type === 'object' && schema.properties) {
    const members = Object.entries(schema.properties).filter(([member]) => !(member in inherited))
    const head = base === undefined ? name : `${name} extends ${base}`
    return `${comment}export interface ${head} ${membersOf({ ...schema, properties: Object.fromEntries(members) }, '')}`
  }
  return `${comment}export type ${name} = ${typeOf(schema, '')}`
}

/** The name and the members of the interface that another one extends. */
type Base = [name: string | undefined, inherited: Record<string, Schema>]

/** With fewer members in common, an interface is no other one with more. */
const leastInherited = 5

/** The largest component whose members a schema all has, as they are. */
function findBase({ properties = {}, required = [] }: Schema, components: Record<string, Schema>): Base {
  const isInherited = ([name, member]: [string, Schema], other: Schema) =>
    isDeepStrictEqual(properties[name], member) &&
    required.includes(name) === (other.required ?? []).includes(name)
  const bases = Object.entries(components).filter(([, other]) => {
    const members = Object.entries(other.properties ?? {})
    return (
      members.length >= leastInherited &&
      members.length < Object.keys(properties).length &&
      members.every((member) => isInherited(member, other))
    )
  })
  const sizeOf = ({ properties = {} }: Schema) => Object.keys(properties).length
  const [base] = bases.sort(([, a], [, b]) => sizeOf(b) - sizeOf(a))
  return [base?.[0], base?.[1].properties ?? {}]
}

function membersOf({ properties = {}, required = [] }: Schema, indent: string): string {
  const inner = `${indent}  `
  const lines = Object.entries(properties).map(([name, schema]) => {
    const comment = schema.description ? `${inner}/** ${schema.description} */\n` : ''
    const isRequired = required.includes(name)
    const type = typeOf(schema, inner)
    return `${comment}${inner}${/^\w+$/.test(name) ? name : literal(name)}${isRequired ? '' : '?'}: ${type}${isRequired || type === 'unknown' ? '' : ' | undefined'}`
  })
  return `{\n${lines.join('\n')}\n${indent}}`
}

function typeOf(schema: Schema, indent: string): string {
  const name = nameOf(schema)
  if (name) return own[name] ?? name
  const { type, anyOf, oneOf, prefixItems, items, properties, additionalProperties } = schema
  if (schema['x-json-schema']) return 'FormSchema'
  if (schema.const !== undefined) return literal(schema.const)
  if (schema.enum) return schema.enum.map(literal).join(' | ')
  const choices = anyOf ?? oneOf
  if (choices) return [...new Set(choices.map((one) => typeOf(one, indent)))].join(' | ')
  if (Array.isArray(type)) return type.map((one) => typeOf({ ...schema, type: one }, indent)).join(' | ')
  if (prefixItems) return `[${prefixItems.map((one) => typeOf(one, indent)).join(', ')}]`
  if (type === 'array') {
    const item = typeOf(items ?? {}, indent)
    return /[|{]/.test(item) && !item.startsWith('{') ? `(${item})[]` : `${item}[]`
  }
  if (type === 'object' && properties) return membersOf(schema, indent)
  if (type === 'object')
    return `Record<string, ${additionalProperties ? typeOf(additionalProperties, indent) : 'unknown'}>`
  return (
    { string: 'string', number: 'number', integer: 'number', boolean: 'boolean', null: 'null' }[
      String(type)
    ] ?? 'unknown'
  )
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : String(value)
}
