import type { OutputUnit } from '@cfworker/json-schema'
import { formatPath, isSamePath, isWithin, type JsonPath, valueAt } from '../core/json-path.ts'
import type { JsonSchema } from '../core/json-schema.ts'
import { isObject } from '../core/json-value.ts'
import { weighNames, weighValue } from './branch-weight.ts'
import type { CompiledSchema } from './compile-schema.ts'
import { hasTooManyDigits, takesNumberOrDigits } from './digit-format.ts'
import { locateError, readPointer } from './fault-location.ts'
import type { Place } from './place.ts'
import { flattenSchema, schemaAt } from './resolve-schema.ts'

/**
 * One place where a value does not match its schema: for `missing` and `undeclared`, that of the member; for `undeclared` with
 * the schema of the object around it.
 */
export interface Fault extends Place {
  kind: 'missing' | 'undeclared' | 'type' | 'value'
  /** The schema keyword that failed; `blank` and `digits` (a number that cannot be kept exactly) are ours. */
  keyword: string
}

/** That a value has to be given at a place. */
export function missingAt({ path, schema }: Omit<Place, 'value'>): Fault {
  return { path, kind: 'missing', keyword: 'required', schema, value: undefined }
}

/** The validator reports that they failed, and their children say why. */
const structural = new Set(
  '$ref allOf if properties patternProperties propertyNames dependentSchemas items prefixItems additionalItems unevaluatedItems false'.split(
    ' ',
  ),
)

const memberKeywords = new Set([
  'required',
  'dependentRequired',
  'additionalProperties',
  'unevaluatedProperties',
])

const ownKeywords = {
  blank: { kind: 'value', keyword: 'blank' },
  duplicates: { kind: 'value', keyword: 'uniqueItems' },
  encoded: { kind: 'type', keyword: 'type' },
  crowded: { kind: 'value', keyword: 'maxProperties' },
} as const

/** Which keyword is reported if several failed. */
const priority = ['type', 'const', 'enum', 'blank', 'format', 'pattern']

/** More would help nobody. */
const maxFaults = 100

/** Every fault of a value, one per place, missing members first; empty if it is valid. */
export function findFaults(compiled: CompiledSchema, value: unknown): Fault[] {
  const own = compiled.ownFaults(value)
  const crowded = own.find(({ kind }) => kind === 'crowded')
  if (crowded)
    return undeclaredFaults(
      compiled.root,
      crowded.path,
      schemaAt(compiled.root, crowded.path),
      valueAt(value, crowded.path),
    )
  const found: Fault[] = []
  const report = { compiled, value, errors: compiled.listErrors(value), listed: new Set<string>() }
  collect(report, 0, report.errors.length, found)
  for (const { path, kind } of own) {
    found.push({
      path,
      ...ownKeywords[kind],
      schema: schemaAt(compiled.root, path),
      value: valueAt(value, path),
    })
  }
  if (found.length === 0 && report.errors.length > 0) found.push(plainFault(report))
  return onePerPlace(found)
}

/** The fault if only a structural keyword failed: a member or an item that a `false` schema forbids. */
function plainFault({ compiled, value, errors }: Report): Fault {
  const countSteps = (error: OutputUnit) => error.instanceLocation.split('/').length
  const deepest = errors.reduce((a, b) => (countSteps(b) > countSteps(a) ? b : a))
  const { path } = readPointer(value, deepest.instanceLocation)
  const isMember = deepest.keyword === 'false' && typeof path.at(-1) === 'string'
  const around = deepest.keyword === 'false' ? path.slice(0, -1) : path
  const at = isMember ? path : around
  const place = schemaAt(compiled.root, around)
  return {
    path: at,
    kind: isMember ? 'undeclared' : 'value',
    keyword: 'false',
    schema: place,
    value: valueAt(value, at),
  }
}

interface Report {
  compiled: CompiledSchema
  value: unknown
  errors: OutputUnit[]
  /** Objects whose missing or undeclared members are already listed: the validator reports them one by one. */
  listed: Set<string>
}

function collect(report: Report, from: number, to: number, found: Fault[]): void {
  let index = from
  while (index < to && found.length <= maxFaults * 2) {
    const error = report.errors[index] as OutputUnit
    if (error.keyword === 'anyOf' || error.keyword === 'oneOf') {
      const next = endOfBlock(report.errors, index, to)
      collectBestBranch(report, index, next, found)
      index = next
    } else {
      if (!structural.has(error.keyword)) found.push(...readFaults(report, error))
      index++
    }
  }
}

/** Errors of the branches directly follow their `anyOf`. */
function endOfBlock(errors: OutputUnit[], index: number, end: number): number {
  const prefix = `${errors[index]?.keywordLocation}/`
  let next = index + 1
  while (next < end) {
    const error = errors[next] as OutputUnit
    if (error.keyword !== 'false' && !error.keywordLocation.startsWith(prefix)) break
    next++
  }
  return next
}

/** If no branch fits, the one closest to the value explains the fault. */
function collectBestBranch(report: Report, index: number, end: number, found: Fault[]): void {
  const parent = report.errors[index] as OutputUnit
  const prefix = `${parent.keywordLocation}/`
  const branches = new Map<string, Fault[]>()
  let from = index + 1
  while (from < end) {
    const branch = readBranch(report.errors[from] as OutputUnit, prefix)
    let to = from + 1
    while (to < end) {
      const error = report.errors[to] as OutputUnit
      if (error.keyword !== 'false' && readBranch(error, prefix) !== branch) break
      to++
    }
    const faults = branches.get(branch) ?? []
    collect(report, from, to, faults)
    branches.set(branch, faults)
    from = to
  }
  const { root } = report.compiled
  const { path, place, value } = locateError(root, report.value, parent)
  const inside: Fault[][] = []
  const own: Fault[] = []
  for (const faults of branches.values()) {
    const here = faults.find((fault) => isSamePath(fault.path, path) && fault.kind !== 'missing')
    if (here) own.push(here)
    else if (faults.length > 0) inside.push(faults)
  }
  const best = inside.sort((a, b) => weighFaults(root, a, path.length) - weighFaults(root, b, path.length))[0]
  if (best) {
    found.push(...best)
    return
  }
  const keyword =
    own.find((fault) => fault.keyword !== 'type')?.keyword ?? (own.length > 0 ? 'type' : parent.keyword)
  found.push({ path, ...blame(root, place, value, keyword), schema: place, value })
}

function readBranch(error: OutputUnit, prefix: string): string {
  return error.keywordLocation.slice(prefix.length).split('/', 1)[0] ?? ''
}

/** Faults in an object's own members show which branch was meant; deeper ones show little. */
function weighFaults(root: JsonSchema, faults: Fault[], depth: number): number {
  const own = faults.filter((fault) => fault.path.length <= depth + 1)
  const undeclared = own.filter((fault) => fault.kind === 'undeclared')
  const names = undeclared.map((fault) => String(fault.path.at(-1)))
  const around = undeclared[0] ? flattenSchema(root, undeclared[0].schema) : {}
  return own
    .filter((fault) => fault.kind !== 'undeclared')
    .reduce(
      (sum, fault) => sum + weighFault(root, fault),
      weighNames(around, names) + (faults.length - own.length) * 0.01,
    )
}

function weighFault(root: JsonSchema, { keyword, schema, value }: Fault): number {
  if (keyword !== 'const' && keyword !== 'enum') return 1
  return weighValue(flattenSchema(root, schema), value) || 1
}

function readFaults(report: Report, error: OutputUnit): Fault[] {
  const { root } = report.compiled
  const { path, value, node, place, stray } = locateError(root, report.value, error)
  if (stray) return []
  if (memberKeywords.has(error.keyword)) {
    const list = `${error.instanceLocation} ${error.keywordLocation}`
    if (report.listed.has(list)) return []
    report.listed.add(list)
  }
  if (error.keyword === 'required' || error.keyword === 'dependentRequired') {
    return missingMembers(root, node, place, value).map((name) => ({
      path: [...path, name],
      kind: 'missing',
      keyword: 'required',
      schema: memberSchema(root, node, place, name),
      value: undefined,
    }))
  }
  if (error.keyword === 'additionalProperties' || error.keyword === 'unevaluatedProperties') {
    if (node[error.keyword] !== false) return []
    return undeclaredFaults(root, path, error.keyword === 'additionalProperties' ? node : place, value)
  }
  return [{ path, ...blame(root, place, value, error.keyword), schema: place, value }]
}

/** What a failed keyword says about a value that is there. */
function blame(
  root: JsonSchema,
  place: JsonSchema | boolean,
  value: unknown,
  keyword: string,
): Pick<Fault, 'kind' | 'keyword'> {
  if (keyword === 'type')
    return hasTooManyDigits(root, place, value)
      ? { kind: 'value', keyword: 'digits' }
      : { kind: 'type', keyword }
  // Text that is no number where digits may be text.
  if (keyword === 'format' && takesNumberOrDigits(flattenSchema(root, place)))
    return { kind: 'type', keyword: 'type' }
  return { kind: 'value', keyword }
}

function missingMembers(
  root: JsonSchema,
  node: JsonSchema,
  place: JsonSchema | boolean,
  value: unknown,
): string[] {
  if (!isObject(value)) return []
  const names = new Set([...(node.required ?? []), ...(flattenSchema(root, place).required ?? [])])
  const dependent = node.dependentRequired
  if (isObject(dependent)) {
    for (const [name, needed] of Object.entries(dependent)) {
      if (Object.hasOwn(value, name) && Array.isArray(needed))
        for (const other of needed) names.add(String(other))
    }
  }
  return [...names].filter((name) => !Object.hasOwn(value, name))
}

function undeclaredFaults(
  root: JsonSchema,
  path: JsonPath,
  place: JsonSchema | boolean,
  object: unknown,
): Fault[] {
  return undeclaredMembers(root, place, object).map((name) => ({
    path: [...path, name],
    kind: 'undeclared',
    keyword: 'additionalProperties',
    schema: place,
    value: valueAt(object, [name]),
  }))
}

function undeclaredMembers(root: JsonSchema, schema: JsonSchema | boolean, value: unknown): string[] {
  if (!isObject(value)) return []
  const flat = flattenSchema(root, schema)
  const patterns = Object.keys(flat.patternProperties ?? {}).map((pattern) => new RegExp(pattern, 'u'))
  return Object.keys(value)
    .filter(
      (name) =>
        !(flat.properties && name in flat.properties) && !patterns.some((pattern) => pattern.test(name)),
    )
    .slice(0, maxFaults)
}

function memberSchema(root: JsonSchema, node: JsonSchema, place: JsonSchema | boolean, name: string) {
  return node.properties?.[name] ?? flattenSchema(root, place).properties?.[name] ?? {}
}

function onePerPlace(found: Fault[]): Fault[] {
  const places = new Map<string, Fault>()
  for (const fault of found) {
    const key = `${fault.kind === 'undeclared' ? 'undeclared ' : ''}${formatPath(fault.path)}`
    const other = places.get(key)
    if (!other || rank(fault) < rank(other)) places.set(key, fault)
  }
  const all = [...places.values()]
  const order: Fault['kind'][] = ['missing', 'undeclared', 'type', 'value']
  return all
    .filter((fault) => !all.some((other) => other !== fault && other.kind === 'type' && below(fault, other)))
    .sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind))
    .slice(0, maxFaults)
}

/** If the type is wrong, nothing inside matters. */
function below(fault: Fault, other: Fault): boolean {
  return fault.path.length > other.path.length && isWithin(fault.path, other.path)
}

function rank(fault: Fault): number {
  const index = priority.indexOf(fault.keyword)
  return index < 0 ? priority.length : index
}
