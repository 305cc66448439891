import type { JsonSchema } from '../../core/json-schema.ts'
import type { CompiledSchema } from '../../schema/compile-schema.ts'
import { declaredNames, listAlternatives, listTypes } from '../../schema/resolve-schema.ts'
import { isSameName } from '../names/match-members.ts'
import { shapeFor } from './argument-place.ts'
import { type MovedArguments, repairArguments } from './repair-arguments.ts'

/** With more names, they are not compared with the declared ones. */
const maxNames = 50

/**
 * The arguments in the only declared object that has room for all names that the tool itself does not declare:
 * `{"branch": "main"}` as `{"params": {"branch": "main"}}`. Lossless if everything belongs inside, and fits as it is or
 * after lossless repairs; otherwise only a proposal.
 */
export function wrapArguments(
  compiled: CompiledSchema,
  args: Record<string, unknown>,
): MovedArguments | undefined {
  if (Object.keys(args).length > maxNames) return undefined
  const shape = shapeFor(compiled.root, compiled.root, args)
  const declared = declaredNames(shape)
  const isDeclared = (name: string) => declared.some((other) => isSameName(name, other))
  const strays = Object.keys(args).filter((name) => !isDeclared(name))
  // Other names belong to the object itself.
  if (strays.length === 0 || typeof shape.additionalProperties === 'object' || shape.patternProperties)
    return undefined
  const [wrapper, another] = declared.filter(
    (name) => !Object.hasOwn(args, name) && accepts(compiled.root, shape.properties?.[name] ?? {}, strays),
  )
  if (wrapper === undefined || another !== undefined) return undefined
  const inside = Object.fromEntries(strays.map((name) => [name, args[name]]))
  const beside = Object.entries(args).filter(([name]) => isDeclared(name))
  const repaired = repairArguments(compiled, Object.fromEntries([...beside, [wrapper, inside]]))
  const isLossless = repaired.remaining.length === 0 && beside.length === 0
  return { repaired, repair: { path: wrapper, rule: 'wrapper-added' }, isLossless }
}

function accepts(root: JsonSchema, place: JsonSchema | boolean, names: readonly string[]): boolean {
  return listAlternatives(root, place).some((shape) => {
    const declared = declaredNames(shape)
    return (
      listTypes(shape).includes('object') &&
      names.every((name) => declared.some((other) => isSameName(name, other)))
    )
  })
}
