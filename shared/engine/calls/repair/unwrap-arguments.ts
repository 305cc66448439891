import { isObject } from '../../core/json-value.ts'
import { readEmbeddedJson } from '../../reading/embedded-json.ts'
import type { CompiledSchema } from '../../schema/compile-schema.ts'
import { declaredNames } from '../../schema/resolve-schema.ts'
import { isSameName } from '../names/match-members.ts'
import { shapeFor } from './argument-place.ts'
import { type MovedArguments, repairArguments } from './repair-arguments.ts'

const maxDepth = 3
/** The contents of such an object were not meant to be carried out. */
const otherMeaning =
  /^(?:not|no|none|never|except|exclude[ds]?|excluding|without|unless|ignore[ds]?|skip|examples?|schema|old|previous|error)(?:$|[^a-z])/i

/**
 * The arguments inside a needless wrapper such as `{"params": {…}}`: lossless if there is only that one object, it is
 * not a parameter of the tool, and its contents fit as they are or after lossless repairs; otherwise only a proposal.
 */
export function unwrapArguments(
  compiled: CompiledSchema,
  args: Record<string, unknown>,
  toolName: string,
  depth = 0,
): MovedArguments | undefined {
  const names = Object.keys(args)
  if (names.length === 0 || names.length > 5 || depth > maxDepth) return undefined
  const declared = declaredNames(shapeFor(compiled.root, compiled.root, args))
  const isArgument = (name: string) =>
    declared.some((other) => isSameName(name, other)) && !isCallName(args[name], toolName)
  if (names.some(isArgument)) return undefined
  const objects = names.filter((name) => objectIn(args[name]) !== undefined)
  const [wrapper] = objects
  if (wrapper === undefined || objects.length > 1 || otherMeaning.test(wrapper)) return undefined
  const inner = objectIn(args[wrapper])
  if (!inner) return undefined
  const repaired = repairArguments(compiled, inner)
  const repair = { path: wrapper, rule: 'wrapper-removed' }
  const fits = repaired.remaining.length === 0
  // A wrapper around nothing may have been meant as a filter: running without one does more.
  const isLossless =
    fits && depth === 0 && names.length === 1 && (Object.keys(inner).length > 0 || declared.length === 0)
  if (
    fits ||
    Object.keys(repaired.args).some((name) => declared.includes(name) && !isCallName(inner[name], toolName))
  )
    return { repaired, repair, isLossless }
  const deeper = unwrapArguments(compiled, inner, toolName, depth + 1)
  return deeper && { ...deeper, repair, isLossless: false }
}

/** `{"name": "the_tool", "arguments": {…}}` repeats what is called. */
function isCallName(value: unknown, toolName: string): boolean {
  return typeof value === 'string' && isSameName(value, toolName)
}

function objectIn(value: unknown): Record<string, unknown> | undefined {
  const object = typeof value === 'string' ? readEmbeddedJson(value) : value
  return isObject(object) ? object : undefined
}
