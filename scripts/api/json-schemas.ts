import { z } from 'zod'

/** JSON Schema, as far as it is written by zod. */
export interface Schema {
  type?: string | string[]
  $ref?: string
  description?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  prefixItems?: Schema[]
  additionalProperties?: Schema | false
  anyOf?: Schema[]
  oneOf?: Schema[]
  enum?: unknown[]
  const?: unknown
  examples?: unknown[]
  /** It is a JSON Schema itself. */
  'x-json-schema'?: true
  [keyword: string]: unknown
}

export const componentsAt = '#/components/schemas/'

/** The JSON Schemas of what routes read and answer; those with a name stand once, in `components`. */
export function createJsonSchemas() {
  const components: Record<string, Schema> = {}
  return {
    components,
    of(schema: z.ZodType, io: 'input' | 'output'): Schema {
      const {
        $schema: _,
        $defs = {},
        ...whole
      } = JSON.parse(
        JSON.stringify(z.toJSONSchema(schema, { io, unrepresentable: 'any' })).replaceAll(
          '#/$defs/',
          componentsAt,
        ),
      )
      Object.assign(components, $defs)
      return whole
    },
  }
}

/** The name of the component that a schema refers to. */
export function nameOf({ $ref }: Schema): string | undefined {
  return $ref?.startsWith(componentsAt) ? $ref.slice(componentsAt.length) : undefined
}
