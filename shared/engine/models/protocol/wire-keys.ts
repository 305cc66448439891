import { formatPath, type JsonPath, parsePath } from '../../core/json-path.ts'
import type { JsonSchema } from '../../core/json-schema.ts'
import { isObject } from '../../core/json-value.ts'
import { Place, type RenameKey, renameKeys } from './rename-keys.ts'

/** The parameters of a tool under names that a provider takes, and the way there and back. */
export interface WireKeys {
  /** The schema with those names; each says what it is called here. */
  schema: JsonSchema
  /** Arguments as the provider's model knows them. */
  toWire(json: string): string
  /** Arguments as the tool knows them. */
  toOwn(json: string): string
  wireValue(value: unknown): unknown
  /** `anhänge[0].größe` → `anhange[0].grosse`. */
  wirePath(path: string): string
  /** A sentence: names in quotation marks are renamed. */
  wireWords(words: string): string
}

const made = new WeakMap<JsonSchema, Map<string, WireKeys | undefined>>()

/**
 * Other names for the parameters of a tool, if one of its own does not fit the pattern; undefined if all fit. No two
 * parameters share a name.
 *
 * @example
 * wireKeys({ properties: { Größe: { type: 'number' }, Grosse: { type: 'number' } } }, /^\w+$/)?.toWire('{"Größe":1.50}')
 * // => '{"Grosse_2":1.50}'
 */
export function wireKeys(parameters: JsonSchema, legal: RegExp): WireKeys | undefined {
  const known = made.get(parameters) ?? new Map<string, WireKeys | undefined>()
  if (!known.has(legal.source)) known.set(legal.source, makeKeys(parameters, legal))
  made.set(parameters, known)
  return known.get(legal.source)
}

function makeKeys(parameters: JsonSchema, legal: RegExp): WireKeys | undefined {
  const own = new Set(listKeys(parameters))
  const odd = [...own].filter((key) => !legal.test(key))
  if (odd.length === 0) return undefined
  const names = new Map<string, string>()
  const used = new Set(own)
  for (const key of odd) {
    const plain = plainKey(key)
    let free = plain
    for (let count = 2; used.has(free); count++) free = `${plain.slice(0, 60)}_${count}`
    used.add(free)
    names.set(key, free)
  }
  const back = new Map([...names].map(([key, name]) => [name, key]))
  const root = new Place(parameters, [parameters])
  const toWire: RenameKey = (place, key) => {
    const name = names.get(key)
    // In a map of names that somebody chose, a name is data.
    return { own: key, name: name !== undefined && (place.declares(key) || !place.isMap) ? name : key }
  }
  const toOwn: RenameKey = (place, key) => {
    const name = back.get(key)
    const is = name !== undefined && (place.declares(name) || !place.isMap) ? name : key
    return { own: is, name: is }
  }
  return {
    schema: renameSchema(parameters, parameters, names, toWire),
    toWire: (json) => renameKeys(json, root, toWire),
    toOwn: (json) => renameKeys(json, root, toOwn),
    wireValue: (value) => renameValue(value, root, toWire),
    wirePath: (path) => renamePath(path, root, toWire),
    wireWords: (words) =>
      words.replace(/"([^"\n]+)"/g, (all, word) => (names.has(word) ? `"${names.get(word)}"` : all)),
  }
}

/** Letters, digits and underscores, at most 64, the first a letter: `Größe in cm` → `Grosse_in_cm`, `$top` → `top`, `件名` → `field`. */
function plainKey(key: string): string {
  const latin = key
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^a-zA-Z0-9_]+/g, '_')
    .replace(/^_+|_+$/g, '')
  const plain = /[a-zA-Z0-9]/.test(latin) ? latin : 'field'
  return (/^[a-zA-Z]/.test(plain) ? plain : `n_${plain}`).slice(0, 64)
}

/** Keywords whose members are schemas, named by parameters. */
const byParameter = ['properties', 'dependentSchemas', 'dependentRequired', 'dependencies']
/** Keywords whose members are schemas, named otherwise. */
const byName = ['patternProperties', '$defs', 'definitions']
/** Keywords whose value is data of the tool. */
const values = ['default', 'const', 'example']
const listsOfValues = ['enum', 'examples']

function listKeys(schema: unknown): string[] {
  if (Array.isArray(schema)) return schema.flatMap(listKeys)
  if (!isObject(schema)) return []
  return Object.entries(schema).flatMap(([keyword, value]) => {
    if (values.includes(keyword) || listsOfValues.includes(keyword)) return []
    if (!isObject(value)) return listKeys(value)
    const names = keyword === 'properties' ? Object.keys(value) : []
    const isMap = byParameter.includes(keyword) || byName.includes(keyword)
    return [...names, ...(isMap ? Object.values(value).flatMap(listKeys) : listKeys(value))]
  })
}

function renameSchema(
  schema: JsonSchema,
  root: JsonSchema,
  names: ReadonlyMap<string, string>,
  toWire: RenameKey,
): JsonSchema {
  const visit = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(visit)
    if (!isObject(node)) return node
    const place = new Place(root, [node])
    return Object.fromEntries(
      Object.entries(node).map(([keyword, value]) => [keyword, renameKeyword(keyword, value, place)]),
    )
  }
  const nameOf = (name: unknown) => (typeof name === 'string' ? (names.get(name) ?? name) : name)
  const renameKeyword = (keyword: string, value: unknown, place: Place): unknown => {
    if (keyword === 'required' && Array.isArray(value)) return value.map(nameOf)
    if (keyword === '$ref' && typeof value === 'string') return renameReference(value, names)
    if (values.includes(keyword)) return renameValue(value, place, toWire)
    if (listsOfValues.includes(keyword) && Array.isArray(value))
      return value.map((one) => renameValue(one, place, toWire))
    if (!isObject(value)) return visit(value)
    if (keyword === 'discriminator') return { ...value, propertyName: nameOf(value.propertyName) }
    if (keyword === 'dependentRequired')
      return Object.fromEntries(
        Object.entries(value).map(([key, list]) => [
          nameOf(key),
          Array.isArray(list) ? list.map(nameOf) : list,
        ]),
      )
    if (byParameter.includes(keyword))
      return Object.fromEntries(
        Object.entries(value).map(([key, member]) => [nameOf(key), called(key, visit(member))]),
      )
    if (byName.includes(keyword))
      return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, visit(member)]))
    return visit(value)
  }
  /** People and documents call it by its own name. */
  const called = (key: string, member: unknown): unknown => {
    if (!names.has(key)) return member
    const described = isObject(member) ? member : {}
    const { description } = described
    return { ...described, description: typeof description === 'string' ? `${key}: ${description}` : key }
  }
  return visit(schema) as JsonSchema
}

/** `#/properties/Größe` → `#/properties/Grosse`. */
function renameReference(reference: string, names: ReadonlyMap<string, string>): string {
  const steps = reference.split('/')
  const renamed = steps.map((step, index) => {
    if (steps[index - 1] !== 'properties') return step
    const key = decodeStep(step)
    const name = names.get(key)
    return name ?? step
  })
  return renamed.join('/')
}

function decodeStep(step: string): string {
  try {
    return decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')
  } catch {
    return step
  }
}

function renameValue(value: unknown, place: Place, rename: RenameKey): unknown {
  if (Array.isArray(value)) return value.map((item) => renameValue(item, place.item(), rename))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      const { name, own } = rename(place, key)
      return [name, renameValue(member, place.member(own), rename)]
    }),
  )
}

function renamePath(path: string, root: Place, rename: RenameKey): string {
  const steps: JsonPath = parsePath(path) ?? []
  let place = root
  const renamed = steps.map((step) => {
    if (typeof step === 'number') {
      place = place.item()
      return step
    }
    const { name, own } = rename(place, step)
    place = place.member(own)
    return name
  })
  return steps.length === 0 ? path : formatPath(renamed)
}
