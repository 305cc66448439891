import { dereference, format, type OutputUnit, type Schema, validate } from '@cfworker/json-schema'
import type { JsonPath } from '../core/json-path.ts'
import type { JsonSchema } from '../core/json-schema.ts'
import { isObject, readJsonText } from '../core/json-value.ts'
import type { ToolSpecification } from '../core/tool-specification.ts'
import { wantsDistinctItems } from './describe-schema.ts'
import { digitFormats, takesNumberOrDigits } from './digit-format.ts'
import { readEmailAddress } from './email-format.ts'
import { normaliseSchema } from './normalise-schema.ts'
import { declaredNames, flattenSchema, listTypes } from './resolve-schema.ts'

/**
 * The validator takes formats from this object alone, not as an option, and nothing else in a function uses it. The same
 * check as in the mail functions, so that they accept what passes here: of 143 addresses, the validator's own refuses 22
 * to which they send, such as those with IDN, and accepts 10 that they refuse (`npm run lab -- patches`).
 */
format.email = (text) => readEmailAddress(text).ok
Object.assign(format, digitFormats)

/** Faults that we find ourselves, because the validator does not know them or takes minutes. */
interface OwnFault {
  path: JsonPath
  kind: 'blank' | 'duplicates' | 'crowded' | 'encoded'
}

export interface CompiledSchema {
  root: JsonSchema
  /** The root with its references and `allOf` parts folded in. */
  flat: JsonSchema
  /** Whether some place takes a number as the text of its digits as well. */
  hasDigits: boolean
  isValid(value: unknown): boolean
  /** Validity against one schema of this document. */
  isValidFor(schema: JsonSchema | boolean, value: unknown): boolean
  /** The validator's own list, parents before children. */
  listErrors(value: unknown): OutputUnit[]
  /** Blank required strings, duplicates in lists of unique items, JSON as text, and far too many undeclared members. */
  ownFaults(value: unknown): OwnFault[]
}

const cache = new WeakMap<object, CompiledSchema>()
const emptyTextCache = new WeakMap<object, CompiledSchema>()
/** This many undeclared members are an attack; checking each would take too long. */
const maxUndeclared = 100

/** Prepares a schema for validation, once per schema object, without generating code. */
export function compileSchema(schema: JsonSchema | boolean): CompiledSchema {
  if (typeof schema === 'boolean') return compile(schema ? {} : { not: {} })
  return compileOnce(schema, cache, false)
}

/** The schema of a tool's arguments, in which empty text is a value if the tool says so. */
export function compileTool(tool: Pick<ToolSpecification, 'parameters' | 'emptyText'>): CompiledSchema {
  const emptyText = tool.emptyText === true
  return compileOnce(tool.parameters, emptyText ? emptyTextCache : cache, emptyText)
}

function compileOnce(
  schema: JsonSchema,
  known: WeakMap<object, CompiledSchema>,
  emptyText: boolean,
): CompiledSchema {
  let compiled = known.get(schema)
  if (!compiled) {
    compiled = compile(schema, emptyText)
    known.set(schema, compiled)
  }
  return compiled
}

function compile(schema: JsonSchema, emptyText = false): CompiledSchema {
  const { root, lookup } = dereferenced(normaliseSchema(schema) as JsonSchema)
  removeDeadReferences(lookup)
  replaceUniqueItems(lookup)
  const asCopy = namesPrototypeMember(lookup)
  const run = (instance: unknown, node: JsonSchema | boolean, first: boolean) => {
    const value = asCopy ? bareCopy(instance) : instance
    try {
      return validate(value, node as Schema | boolean, '2020-12', lookup, first)
    } catch (error) {
      // The validator writes names into URIs, which fails for half a surrogate pair.
      if (!(error instanceof URIError)) throw error
      return validate(bareCopy(value), node as Schema | boolean, '2020-12', lookup, first)
    }
  }
  const ownFaults = (value: unknown) => {
    const faults: OwnFault[] = []
    findOwnFaults({ root, emptyText, faults }, root, value, [])
    return faults
  }
  return {
    root,
    flat: flattenSchema(root, root),
    hasDigits: Object.values(lookup).some(
      (node) => typeof node === 'object' && takesNumberOrDigits(node as JsonSchema),
    ),
    isValid: (value) => ownFaults(value).length === 0 && run(value, root, true).valid,
    isValidFor: (node, value) => run(value, node, true).valid,
    listErrors: (value) => run(value, root, false).errors,
    ownFaults,
  }
}

/** The subschemas by URI; names with half a surrogate pair, which no URI allows, are replaced in a copy. */
function dereferenced(root: JsonSchema): { root: JsonSchema; lookup: Record<string, Schema | boolean> } {
  try {
    return { root, lookup: dereference(root as Schema) }
  } catch (error) {
    if (!(error instanceof URIError)) throw error
    const copy = bareCopy(root) as JsonSchema
    return { root: copy, lookup: dereference(copy as Schema) }
  }
}

/** A reference to nothing would throw at every validation, and a circular one would never end; both check nothing instead. */
function removeDeadReferences(lookup: Record<string, Schema | boolean>): void {
  const findTarget = (node: Schema) => lookup[(node as { __absolute_ref__?: string }).__absolute_ref__ ?? '']
  const done = new Set<Schema>()
  const visit = (node: Schema | boolean | undefined, above: readonly Schema[]): void => {
    if (typeof node !== 'object' || done.has(node)) return
    const path = [...above, node]
    if (node.$ref !== undefined) {
      const target = findTarget(node)
      if (target === undefined || (typeof target === 'object' && path.includes(target))) delete node.$ref
      else visit(target, path)
    }
    // Subschemas that apply to the same value.
    for (const part of [node.not, node.if, node.then, node.else]) visit(part, path)
    for (const part of [...(node.allOf ?? []), ...(node.anyOf ?? []), ...(node.oneOf ?? [])])
      visit(part, path)
    done.add(node)
  }
  for (const node of Object.values(lookup)) visit(node, [])
}

/** `findOwnFaults` does not descend into these keywords. */
const branching =
  /\/(?:anyOf|oneOf|not|if|then|else|contains|\$defs|definitions|dependentSchemas|(?:pattern|additional|unevaluated)Properties|(?:prefix|additional|unevaluated)Items)(?:\/|$)/

/** The validator compares every pair of items, which takes minutes for a long list. */
function replaceUniqueItems(lookup: Record<string, Schema | boolean>): void {
  for (const [uri, node] of Object.entries(lookup)) {
    if (typeof node !== 'object' || !node.uniqueItems || branching.test(uri)) continue
    delete node.uniqueItems
    Object.assign(node, { distinctItems: true })
  }
}

/** `such as 'Apt 1' or ''`, `leave blank if there is none`: the schema's author explains what a blank string means. */
const blankIsDocumented =
  /(?<!\w)(?:''|""|``)(?!\w)|\b(?:leave|left) (?:it |this )?(?:empty|blank)\b|\b(?:can|may|should) be (?:an )?(?:empty|blank)\b/i

/** `emptyText`: the tool takes empty text, but not for a value that must come from somebody, or that has a form. */
function mustNotBeBlank(schema: JsonSchema, emptyText: boolean): boolean {
  if (emptyText && (schema.format ?? schema.statedFormat) === undefined) return false
  if (!listTypes(schema).includes('string')) return false
  if (schema.minLength === 0 || schema.enum || schema.const !== undefined) return false
  if (typeof schema.default === 'string' && schema.default.trim() === '') return false
  return schema.minLength !== undefined || !blankIsDocumented.test(schema.description ?? '')
}

interface OwnSearch {
  root: JsonSchema
  emptyText: boolean
  faults: OwnFault[]
}

function findOwnFaults(search: OwnSearch, schema: JsonSchema, value: unknown, path: JsonPath): void {
  const { root, faults } = search
  const flat = flattenSchema(root, schema)
  // Inherited by items and members.
  if (flat.source !== undefined && search.emptyText) {
    findOwnFaults({ ...search, emptyText: false }, schema, value, path)
    return
  }
  if (Array.isArray(value)) {
    if (wantsDistinctItems(flat) && hasDuplicates(value)) faults.push({ path, kind: 'duplicates' })
    const { items } = flat
    if (typeof items !== 'object' || Array.isArray(items)) return
    for (const [index, item] of value.entries())
      if (typeof item === 'object') findOwnFaults(search, items, item, [...path, index])
  } else if (isObject(value)) {
    const names = Object.keys(value)
    const isClosed = flat.additionalProperties === false && !flat.patternProperties
    if (isClosed && names.length > declaredNames(flat).length + maxUndeclared)
      faults.push({ path, kind: 'crowded' })
    for (const name of names) {
      const member = flat.properties?.[name]
      if (typeof member !== 'object') continue
      const inside = value[name]
      if (containsJson(inside, flattenSchema(root, member)))
        faults.push({ path: [...path, name], kind: 'encoded' })
      if (typeof inside === 'object') findOwnFaults(search, member, inside, [...path, name])
      else if (
        isBlank(inside) &&
        flat.required?.includes(name) &&
        mustNotBeBlank(
          flattenSchema(root, member),
          search.emptyText && flattenSchema(root, member).source === undefined,
        )
      )
        faults.push({ path: [...path, name], kind: 'blank' })
    }
  }
}

/** Text of an object or a list where any JSON fits: encoded twice. */
function containsJson(value: unknown, { json }: JsonSchema): boolean {
  if (!json || typeof value !== 'string' || !/^\s*[[{]/.test(value)) return false
  const parsed = readJsonText(value)
  return typeof parsed === 'object' && parsed !== null
}

/** The validator uses `in`, so it would find a declared `constructor` in every object. */
function namesPrototypeMember(lookup: Record<string, Schema | boolean>): boolean {
  return Object.values(lookup).some((node) => {
    if (typeof node !== 'object') return false
    return [...Object.keys(node.properties ?? {}), ...(node.required ?? [])].some(
      (name) => name in Object.prototype,
    )
  })
}

/** A copy without prototypes, with well-formed Unicode names. */
function bareCopy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bareCopy)
  if (!isObject(value)) return value
  const copy = Object.create(null) as Record<string, unknown>
  for (const [name, member] of Object.entries(value)) {
    copy[name.replace(/\p{Surrogate}/gu, '\ufffd')] = bareCopy(member)
  }
  return copy
}

function isBlank(value: unknown): boolean {
  return typeof value === 'string' && (value === '' || value.trim() === '')
}

function hasDuplicates(value: unknown): boolean {
  if (!Array.isArray(value)) return false
  return new Set(value.map((item) => JSON.stringify(item))).size < value.length
}
