import { distinctPaths, isSamePath, type JsonPath } from '../../core/json-path.ts'
import type { JsonSchema } from '../../core/json-schema.ts'
import type { CompiledSchema } from '../../schema/compile-schema.ts'
import { type Fault, findFaults } from '../../schema/find-faults.ts'
import { flattenSchema } from '../../schema/resolve-schema.ts'
import { judgeNearness } from '../names/match-members.ts'
import { objectAt } from './argument-place.ts'

/** With more names in one object, they are not compared with the missing ones. */
const maxCompared = 50

/** The validator's findings, and names that an open schema accepts although they are close to a missing member. */
export function allFaults(compiled: CompiledSchema, args: Record<string, unknown>): Fault[] {
  const faults = findFaults(compiled, args)
  const lacking = objectsAround(faults.filter(({ kind }) => kind === 'missing'))
  return [...faults, ...lacking.flatMap((path) => misnamedMembers(compiled, args, path, faults))]
}

/** The objects around members with faults, each once. */
export function objectsAround(faults: readonly Fault[]): JsonPath[] {
  return distinctPaths(faults.map(({ path }) => path.slice(0, -1)))
}

function misnamedMembers(compiled: CompiledSchema, args: unknown, path: JsonPath, faults: Fault[]): Fault[] {
  const missing = selectMembers(faults, 'missing', path)
  if (selectMembers(faults, 'undeclared', path).length > 0) return []
  const place = objectAt(compiled.root, args, path)
  if (!place) return []
  const { schema, shape, value: object } = place
  return Object.keys(object)
    .filter((name) => !(shape.properties && name in shape.properties))
    .slice(0, maxCompared)
    .filter((name) => missing.some((fault) => isClose(compiled.root, name, fault)))
    .map((name) => ({
      path: [...path, name],
      kind: 'undeclared',
      keyword: 'additionalProperties',
      schema,
      value: object[name],
    }))
}

function isClose(root: JsonSchema, name: string, missing: Fault): boolean {
  return judgeNearness(name, readMemberName(missing), flattenSchema(root, missing.schema)) !== undefined
}

/** The faults of one kind among the members of an object. */
export function selectMembers(faults: readonly Fault[], kind: Fault['kind'], path: JsonPath): Fault[] {
  return faults.filter((fault) => fault.kind === kind && isSamePath(fault.path.slice(0, -1), path))
}

/** The name of the member that a fault is about. */
export function readMemberName(fault: Fault): string {
  return String(fault.path.at(-1))
}

/** One fault per place; a member may be undeclared and missing in two spellings. */
export function isSameFault(a: Fault, b: Fault): boolean {
  return (a.kind === 'undeclared') === (b.kind === 'undeclared') && isSamePath(a.path, b.path)
}
