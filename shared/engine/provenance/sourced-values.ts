import type { JsonPath } from '../core/json-path.ts'
import type { JsonSchema } from '../core/json-schema.ts'
import type { ToolSpecification } from '../core/tool-specification.ts'
import type { Place } from '../schema/place.ts'
import { resolveReference } from '../schema/resolve-schema.ts'
import { spellOutName } from '../schema/words-of-name.ts'
import { readPlace } from './web-address.ts'

type Source = NonNullable<JsonSchema['source']>

/** A text or number anywhere in a call, with its place. */
export interface CallValue extends Place {
  schema: JsonSchema
  value: string | number
  source?: Source | undefined
  /** The parameter's name, which hints at the kind of value. */
  name: string
}

/** What shows which kind of value it is. */
export type TypedValue = Pick<CallValue, 'value' | 'schema' | 'name'>

/** A value that must come from somewhere. */
export interface SourcedValue extends CallValue {
  source: Source
}

/**
 * The values of a call that its schema marks with a `source`; items and members inherit the mark. Of a foreign tool also
 * its web addresses. Empty and absent values and schema defaults need no source and are left out.
 */
export function sourcedValues(
  { parameters, foreign }: Pick<ToolSpecification, 'parameters' | 'foreign'>,
  args: Record<string, unknown>,
): SourcedValue[] {
  if (foreign) return valuesOf(parameters, args).map(markAddress).filter(isSourced)
  return marksIn(parameters).hasMarks ? valuesOf(parameters, args).filter(isSourced) : []
}

/** A place on the web, whatever its server calls it. */
function markAddress(value: CallValue): CallValue {
  return value.source === undefined && isAddress(value) ? { ...value, source: 'seen' } : value
}

const namesOfAddresses = new Set(
  'url urls uri uris link links href website webpage domain host webhook'.split(' '),
)

/** `https://…` anywhere; `example.com/a` only where the place is for addresses: else it may be a file's name. */
function isAddress({ value, name, schema: { format = '' } }: CallValue): boolean {
  const text = String(value).trim()
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return true
  const isNamedSo = spellOutName(name).some((word) => namesOfAddresses.has(word.toLowerCase()))
  return (isNamedSo || /^(?:uri|url|iri)/.test(format)) && readPlace(text) !== undefined
}

function isSourced(value: CallValue): value is SourcedValue {
  return value.source !== undefined
}

/**
 * Every text and number of a call, except empty ones, schema defaults and the schema's own choices. `withKeys`: the keys of
 * maps, too; `withChoices`: all of these and flags, so that nothing but defaults is left out.
 */
export function valuesOf(
  schema: JsonSchema,
  args: Record<string, unknown>,
  { withChoices = false, withKeys = withChoices }: { withChoices?: boolean; withKeys?: boolean } = {},
): CallValue[] {
  const found: CallValue[] = []
  visit([schema], args, [], '')
  return found

  function visit(given: Part[], value: unknown, path: JsonPath, name: string, inherited?: Source): void {
    const schemas = given.flatMap((one) => applicable(one, schema))
    const mark = markOf(schemas)
    const source = mark ?? inherited
    if (value === null || value === undefined || value === '') return
    if (schemas.some((one) => 'default' in one && JSON.stringify(one.default) === JSON.stringify(value)))
      return
    // An inherited mark does not apply to the schema's own choices.
    if (!mark && !withChoices && schemas.some((one) => offers(one, value))) return
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries())
        visit(
          schemas.flatMap((one) => itemSchemas(one, index)),
          item,
          [...path, index],
          name,
          source,
        )
    } else if (typeof value === 'object') {
      for (const [key, member] of Object.entries(value)) {
        const memberPath = [...path, key]
        const keySource = sourceOfKey(key, schemas, source)
        const isKnown = schemas.some(({ properties }) => properties && Object.hasOwn(properties, key))
        if (keySource || (withKeys && !isKnown))
          found.push({ path: memberPath, value: key, source: keySource, schema: {}, name })
        visit(
          schemas.flatMap((one) => memberSchemas(one, key)),
          member,
          memberPath,
          key,
          source,
        )
      }
    } else if (typeof value === 'string' || typeof value === 'number') {
      found.push({ path, value, source, schema: Object.assign({}, ...schemas), name })
    } else if (withChoices && typeof value === 'boolean') {
      found.push({ path, value: String(value), source, schema: {}, name })
    }
  }
}

const known = new WeakMap<JsonSchema, { hasMarks: boolean; namesPlaces: boolean }>()

/** Which marks are anywhere in a schema: most tools have none. Determined once per schema. */
function marksIn(schema: JsonSchema): { hasMarks: boolean; namesPlaces: boolean } {
  let marks = known.get(schema)
  if (marks === undefined) {
    const text = JSON.stringify(schema)
    const namesPlaces = text.includes('"source":"seen"')
    marks = { namesPlaces, hasMarks: namesPlaces || text.includes('"source":"conversation"') }
    known.set(schema, marks)
  }
  return marks
}

/** Whether a call of this schema can name a place on the web (`source: 'seen'`). */
export function namesPlaces(schema: JsonSchema): boolean {
  return marksIn(schema).namesPlaces
}

/** The stricter of several marks. */
function markOf(schemas: readonly (JsonSchema | undefined)[]): Source | undefined {
  const marks = schemas.map((schema) => schema?.source)
  return (['conversation', 'seen'] as const).find((mark) => marks.includes(mark))
}

/** If the key itself is a value: `{ "ann@x.example": 20 }`, where a marked map declares no such member. */
function sourceOfKey(key: string, schemas: JsonSchema[], source: Source | undefined): Source | undefined {
  if (schemas.some(({ properties }) => properties && Object.hasOwn(properties, key))) return undefined
  const mark = markOf(schemas.map(({ propertyNames }) => propertyNames))
  return mark ?? (/@|\d{5}|:\/\//.test(key) ? source : undefined)
}

function offers(schema: JsonSchema, value: unknown): boolean {
  return schema.const === value || (schema.enum?.includes(value as never) ?? false)
}

type Part = JsonSchema | boolean | undefined | null

/** A schema with everything it refers to and is composed of. */
function applicable(given: Part, root: JsonSchema): JsonSchema[] {
  const found = new Set<JsonSchema>()
  const collect = (schema: Part): void => {
    if (typeof schema !== 'object' || schema === null || found.has(schema)) return
    found.add(schema)
    if (schema.$ref?.startsWith('#')) collect(resolveReference(root, schema.$ref))
    const { allOf = [], anyOf = [], oneOf = [], dependentSchemas = {} } = schema
    const conditional = [schema.then, schema.else, ...Object.values(dependentSchemas)]
    for (const part of [...allOf, ...anyOf, ...oneOf, ...(conditional as Part[])]) collect(part)
  }
  collect(given)
  return [...found]
}

function itemSchemas(schema: JsonSchema, index: number): Part[] {
  const tuple = schema.prefixItems ?? (Array.isArray(schema.items) ? schema.items : undefined)
  const rest = Array.isArray(schema.items)
    ? schema.additionalItems
    : (schema.items ?? schema.unevaluatedItems)
  return [tuple?.[index] ?? rest] as Part[]
}

function memberSchemas(schema: JsonSchema, key: string): Part[] {
  const { properties = {}, patternProperties = {}, additionalProperties } = schema
  const declared = [
    ...(Object.hasOwn(properties, key) ? [properties[key]] : []),
    ...Object.entries(patternProperties).flatMap(([pattern, member]) =>
      matches(pattern, key) ? [member] : [],
    ),
  ]
  const members = declared.length > 0 ? declared : [additionalProperties ?? schema.unevaluatedProperties]
  return members as Part[]
}

/** An invalid pattern counts as a match: better one mark too many. */
function matches(pattern: string, key: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(key)
  } catch {
    return true
  }
}
