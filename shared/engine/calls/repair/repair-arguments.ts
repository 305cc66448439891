import { formatPath, type JsonPath, removeAt, setAt, valueAt } from '../../core/json-path.ts'
import { isObject } from '../../core/json-value.ts'
import type { Repair } from '../../core/repair.ts'
import type { CompiledSchema } from '../../schema/compile-schema.ts'
import type { Fault } from '../../schema/find-faults.ts'
import { flattenSchema } from '../../schema/resolve-schema.ts'
import { absentNames, isSameName } from '../names/match-members.ts'
import { allFaults, isSameFault, readMemberName } from './argument-faults.ts'
import { objectAt, shapeFor } from './argument-place.ts'
import { repairValue } from './repair-value.ts'

export interface RepairedArguments {
  /** After every lossless repair; the original value if it was valid. */
  args: Record<string, unknown>
  repairs: Repair[]
  /** Every fault found, including repaired ones. */
  faults: Fault[]
  /** The faults that could not be repaired. */
  remaining: Fault[]
}

/** The same after an object around the arguments was removed or added. */
export interface MovedArguments {
  repaired: RepairedArguments
  /** With the name of that object. */
  repair: Repair
  /** There is no other reading; otherwise it is only a proposal. */
  isLossless: boolean
}

/** A repair may uncover a new fault: a JSON text turns out to contain a wrong value. */
const maxRounds = 6
/** With this many faults at once, or left after two rounds, it would never end. */
const endless = 100

/** Repairs whatever has exactly one reading, until nothing changes. Does not modify its input. */
export function repairArguments(compiled: CompiledSchema, value: Record<string, unknown>): RepairedArguments {
  let remaining = allFaults(compiled, value)
  if (remaining.length === 0 || isCrowded(remaining)) {
    return { args: value, repairs: [], faults: remaining, remaining }
  }
  const args = structuredClone(value)
  const repairs: Repair[] = []
  const seen: Fault[] = []
  for (let round = 0; round < maxRounds && remaining.length > 0; round++) {
    seen.push(...remaining.filter((fault) => !seen.some((other) => isSameFault(fault, other))))
    const before = repairs.length
    renameMembers(compiled, args, remaining, repairs)
    for (const fault of remaining) repairFault(compiled, args, fault, repairs)
    if (repairs.length === before) break
    const isEndless = round === 2 && remaining.length >= endless
    remaining = allFaults(compiled, args)
    if (isEndless) break
  }
  return { args, repairs, faults: seen, remaining }
}

/** This many unknown names are an attack; nothing is renamed. */
function isCrowded(faults: readonly Fault[]): boolean {
  return faults.length >= endless && faults.every((fault) => fault.kind === 'undeclared')
}

/** Renames undeclared members to the declared name in another spelling, if exactly one fits. */
function renameMembers(
  compiled: CompiledSchema,
  args: unknown,
  faults: readonly Fault[],
  repairs: Repair[],
): void {
  const claims = new Map<string, { fault: Fault; to: string }[]>()
  for (const fault of faults) {
    if (fault.kind !== 'undeclared') continue
    const path = fault.path.slice(0, -1)
    const object = valueAt(args, path)
    if (!isObject(object)) continue
    const shape = shapeFor(compiled.root, fault.schema, object)
    const same = absentNames(shape, object).filter((name) =>
      isSameName(readMemberName(fault), name, flattenSchema(compiled.root, shape.properties?.[name]).aliases),
    )
    if (same.length !== 1) continue
    const target = formatPath([...path, same[0] as string])
    claims.set(target, [...(claims.get(target) ?? []), { fault, to: same[0] as string }])
  }
  for (const [target, claimed] of claims) {
    const [claim, another] = claimed
    if (!claim || another) continue
    renameMember(valueAt(args, claim.fault.path.slice(0, -1)), readMemberName(claim.fault), claim.to)
    repairs.push({ path: target, rule: 'parameter-name' })
  }
}

/** Renames in place and keeps the order of the members. */
export function renameMember(object: unknown, from: string, to: string): void {
  if (!isObject(object)) return
  const members = Object.entries(object)
  for (const [name] of members) delete object[name]
  for (const [name, value] of members) setAt(object, [name === from ? to : name], value)
}

function repairFault(compiled: CompiledSchema, args: unknown, fault: Fault, repairs: Repair[]): void {
  if (fault.kind === 'missing' || fault.kind === 'undeclared') return
  if (fault.value === null && isOptional(compiled, args, fault.path)) {
    removeAt(args, fault.path)
    repairs.push({ path: formatPath(fault.path), rule: 'null-removed' })
    return
  }
  const asItem = typeof fault.path.at(-1) === 'number'
  const repaired = repairValue(compiled, fault.schema, fault.value, asItem)
  if (!repaired || !setAt(args, fault.path, repaired.value)) return
  repairs.push({ path: formatPath(fault.path), rule: repaired.rule })
}

/** True for a declared member that its object may lack. */
function isOptional(compiled: CompiledSchema, args: unknown, path: JsonPath): boolean {
  const name = path.at(-1)
  if (typeof name !== 'string') return false
  const { properties, required } = objectAt(compiled.root, args, path.slice(0, -1))?.shape ?? {}
  return properties !== undefined && name in properties && !required?.includes(name)
}
