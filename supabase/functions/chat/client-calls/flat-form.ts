import type { JsonSchema } from '../../../../shared/engine/core/json-schema.ts'
import { isObject } from '../../../../shared/engine/core/json-value.ts'
import { withoutNothing } from '../../../../shared/engine/core/without-nothing.ts'
import { splitList } from '../../../../shared/words/typed-list.ts'

/** Formats that forms of MCP know. */
const formats = ['email', 'uri', 'date', 'date-time']

/**
 * A form as MCP has it: flat, of texts, numbers and choices. A list of texts is one text. Undefined for a form that has
 * anything else in it.
 */
export function flatForm(schema: JsonSchema): Record<string, unknown> | undefined {
  const properties: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const flat = isObject(field) ? flatField(field) : undefined
    if (flat === undefined) return undefined
    properties[name] = flat
  }
  if (Object.keys(properties).length === 0) return undefined
  return { type: 'object', properties, required: schema.required ?? Object.keys(properties) }
}

/** A flat form that begins with these values, where they are such as it takes. */
export function fillForm(
  form: Record<string, unknown>,
  schema: JsonSchema,
  given: Record<string, unknown>,
): Record<string, unknown> {
  const fields = Object.entries(form.properties as Record<string, JsonSchema>).map(([name, field]) => {
    const value = given[name]
    const isTaken = isTextList(schema.properties?.[name]) ? typeof value === 'string' : takes(field, value)
    return [name, isTaken ? { ...field, default: value } : field]
  })
  return { ...form, properties: Object.fromEntries(fields) }
}

function takes({ type, enum: allowed }: JsonSchema, value: unknown): boolean {
  if (Array.isArray(allowed)) return allowed.includes(value)
  return type === 'integer' ? Number.isInteger(value) : typeof value === type
}

/** What was filled in, as the form that it was made from has it; what was not asked is left out. */
export function readFlatForm(schema: JsonSchema, content: Record<string, unknown>): Record<string, unknown> {
  const values = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    if (!Object.hasOwn(content, name)) return []
    const value = content[name]
    return [[name, isTextList(field) && typeof value === 'string' ? readList(field, value) : value]]
  })
  return Object.fromEntries(values)
}

function flatField(field: JsonSchema): Record<string, unknown> | undefined {
  const { title, description, minimum, maximum, minLength, maxLength, format } = field
  const about = withoutNothing({ title, description })
  if (isTextList(field)) return { type: 'string', ...about }
  if (Array.isArray(field.enum) && field.enum.every((one) => typeof one === 'string')) {
    return { type: 'string', ...about, enum: field.enum }
  }
  switch (field.type) {
    case 'string': {
      const known = typeof format === 'string' && formats.includes(format) ? { format } : {}
      return { type: 'string', ...about, ...withoutNothing({ minLength, maxLength }), ...known }
    }
    case 'number':
    case 'integer':
      return { type: field.type, ...about, ...withoutNothing({ minimum, maximum }) }
    case 'boolean':
      return { type: 'boolean', ...about }
    default:
      return undefined
  }
}

interface TextList extends JsonSchema {
  items: JsonSchema
}

function isTextList(field: unknown): field is TextList {
  return isObject(field) && field.type === 'array' && isObject(field.items) && field.items.type === 'string'
}

/** Of addresses, the names before them are left out: `Ada <ada@example.com>`. */
function readList({ items }: TextList, text: string): string[] {
  const parts = splitList(text)
  if (items.format !== 'email') return parts
  return parts.map((part) => /<([^<>]+)>$/.exec(part)?.[1]?.trim() ?? part)
}
