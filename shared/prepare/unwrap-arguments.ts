import type { CompiledSchema } from '../schema/compile-schema.ts'
import { isObject } from '../schema/json-path.ts'
import { declaredNames } from '../schema/resolve-schema.ts'
import { isSameName } from './match-members.ts'
import { type SettledArguments, settleArguments, shapeFor } from './settle-arguments.ts'

/**
 * The arguments inside one needless object around them, as `{"params": {…}}`: `lossless` when the object stands alone,
 * is no parameter of the tool, and what is inside fits as it is or after lossless repairs; otherwise only a proposal.
 */
export function unwrapArguments(
  compiled: CompiledSchema,
  args: Record<string, unknown>,
): { settled: SettledArguments; wrapper: string; lossless: boolean } | undefined {
  const names = Object.keys(args)
  if (names.length === 0 || names.length > 5) return undefined
  const declared = declaredNames(shapeFor(compiled.root, compiled.root, args))
  if (names.some((name) => declared.some((other) => isSameName(name, other)))) return undefined
  const objects = names.filter((name) => objectIn(args[name]) !== undefined)
  const [wrapper] = objects
  if (wrapper === undefined || objects.length > 1) return undefined
  const inner = objectIn(args[wrapper])
  if (!inner) return undefined
  const settled = settleArguments(compiled, inner)
  const fits = settled.remaining.length === 0
  // An empty object around nothing may have been meant as a filter: running without one does more.
  const lossless = fits && names.length === 1 && (Object.keys(inner).length > 0 || declared.length === 0)
  const known = Object.keys(settled.args).some((name) => declared.includes(name))
  return fits || known ? { settled, wrapper, lossless } : undefined
}

function objectIn(value: unknown): Record<string, unknown> | undefined {
  if (isObject(value)) return value
  if (typeof value !== 'string' || !/^\s*\{/.test(value)) return undefined
  try {
    const parsed: unknown = JSON.parse(value)
    return isObject(parsed) ? parsed : undefined
  } catch {
    return undefined
  }
}
