import type { JsonSchema } from '../../core/json-schema.ts'
import { resolveReference } from '../../schema/resolve-schema.ts'

/** A place in the arguments of a tool: all schemas that a value there may follow. */
export class Place {
  readonly isMap: boolean
  private readonly schemas: readonly JsonSchema[]
  private readonly root: JsonSchema

  constructor(root: JsonSchema, schemas: readonly unknown[]) {
    this.root = root
    this.schemas = expand(root, schemas)
    this.isMap = this.schemas.some(
      ({ additionalProperties, patternProperties }) =>
        additionalProperties === true || typeof additionalProperties === 'object' || patternProperties,
    )
  }

  declares(name: string): boolean {
    return this.schemas.some(({ properties }) => properties && Object.hasOwn(properties, name))
  }

  member(name: string): Place {
    const declared = this.schemas.flatMap(({ properties }) =>
      properties && Object.hasOwn(properties, name) ? [properties[name]] : [],
    )
    const others = () =>
      this.schemas.flatMap(({ additionalProperties, patternProperties }) => [
        additionalProperties,
        ...Object.values(patternProperties ?? {}),
      ])
    return new Place(this.root, declared.length > 0 ? declared : others())
  }

  item(): Place {
    return new Place(
      this.root,
      this.schemas.flatMap(({ items, prefixItems = [], contains }) =>
        [items, ...prefixItems, contains].flat(),
      ),
    )
  }
}

/** The schemas with everything that they refer to and are combined of. */
function expand(root: JsonSchema, schemas: readonly unknown[]): JsonSchema[] {
  const seen = new Set<JsonSchema>()
  const visit = (schema: unknown) => {
    if (typeof schema !== 'object' || schema === null || seen.has(schema as JsonSchema)) return
    const { $ref, anyOf = [], oneOf = [], allOf = [], dependentSchemas, ...rest } = schema as JsonSchema
    seen.add(schema as JsonSchema)
    if ($ref !== undefined) visit(resolveReference(root, $ref))
    const conditional = [rest.if, rest.then, rest.else]
    for (const part of [...anyOf, ...oneOf, ...allOf, ...conditional]) visit(part)
    for (const part of Object.values(dependentSchemas ?? {})) visit(part)
  }
  for (const schema of schemas) visit(schema)
  return [...seen]
}

/** How a key is called elsewhere, and by which name the schema declares it. */
export type RenameKey = (place: Place, key: string) => { name: string; own: string }

/** The tokens of JSON, also of broken JSON: every character is in one of them. */
const tokens = /"(?:[^"\\]|\\[\s\S])*"?|'(?:[^'\\]|\\[\s\S])*'?|[{}[\],:]|[^\s"'{}[\],:]+|\s+/gu

interface Frame {
  isObject: boolean
  place: Place
  /** The place of the value that follows. */
  value: Place
  expectsKey: boolean
}

/**
 * JSON with other keys. Everything else stays as it was written, digit for digit; broken JSON stays as broken as it was.
 * JSON inside a text, as some models write it, is renamed as well.
 */
export function renameKeys(json: string, place: Place, rename: RenameKey): string {
  const stack: Frame[] = []
  let renamed = ''
  for (const [token] of json.matchAll(tokens)) {
    const top = stack.at(-1)
    const value = top?.value ?? place
    if (token === '{') stack.push({ isObject: true, place: value, value, expectsKey: true })
    else if (token === '[')
      stack.push({ isObject: false, place: value, value: value.item(), expectsKey: false })
    else if (token === '}' || token === ']') stack.pop()
    else if (token === ',' && top) top.expectsKey = top.isObject
    else if (token === ':' && top) top.expectsKey = false
    else if (top?.expectsKey && token.trim() !== '') {
      const key = unquote(token)
      const { name, own } = rename(top.place, key)
      top.value = top.place.member(own)
      renamed += name === key ? token : JSON.stringify(name)
      continue
    } else if (/^"\s*(?:\{|\[)/.test(token)) {
      renamed += renameInside(token, value, rename)
      continue
    }
    renamed += token
  }
  return renamed
}

function unquote(token: string): string {
  if (!/^["']/.test(token)) return token
  try {
    return JSON.parse(token)
  } catch {
    return token.slice(1, /^["'].*["']$/s.test(token) && token.length > 1 ? -1 : undefined)
  }
}

function renameInside(token: string, place: Place, rename: RenameKey): string {
  const json = unquote(token)
  const renamed = renameKeys(json, place, rename)
  return renamed === json ? token : JSON.stringify(renamed)
}
