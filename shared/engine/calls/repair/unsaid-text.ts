import { type JsonPath, removeAt, setAt } from '../../core/json-path.ts'
import type { JsonSchema } from '../../core/json-schema.ts'
import { isObject } from '../../core/json-value.ts'
import type { CompiledSchema } from '../../schema/compile-schema.ts'
import { allowedValues, itemSchema, listAlternatives, listTypes } from '../../schema/resolve-schema.ts'
import { exampleTexts } from '../../wording/example-for.ts'
import { shapeFor } from './argument-place.ts'
import { standsForText } from './placeholder.ts'

/** Whether somebody has written a text in this conversation, alone or among other words. */
export type IsSaid = (text: string) => boolean

/** Arguments nested deeper than this are not free text for people. */
const maxDepth = 32

/**
 * Removes free text that nobody can have meant: a placeholder (`N/A`, `<subject>`), or an example of the schema or of our own
 * questions, unless the user has said it. Changes the arguments in place and returns the places, which are missing now, as
 * `resolveSlots` does.
 */
export function removeUnsaid(
  compiled: CompiledSchema,
  args: Record<string, unknown>,
  isSaid: IsSaid,
): JsonPath[] {
  const { root } = compiled
  const unsaid: JsonPath[] = []
  visit(args, root, [])
  return unsaid

  function visit(value: unknown, place: JsonSchema | boolean, path: JsonPath): void {
    if (path.length > maxDepth) return
    if (typeof value === 'string') {
      if (!mayBeUnsaid(root, place, path, value) || isSaid(value)) return
      unsaid.push(path)
      // An item leaves a gap, so that the list does not silently get shorter.
      if (typeof path.at(-1) === 'string') removeAt(args, path)
      else setAt(args, path, null)
    } else if (Array.isArray(value)) {
      const shape = listAlternatives(root, place).find((one) => listTypes(one).includes('array')) ?? {}
      for (const [index, item] of value.entries())
        visit(item, itemSchema(shape, index) ?? {}, [...path, index])
    } else if (isObject(value)) {
      const { properties = {} } = shapeFor(root, place, value)
      for (const name of Object.keys(value))
        visit(value[name], (Object.hasOwn(properties, name) && properties[name]) || {}, [...path, name])
    }
  }
}

function mayBeUnsaid(root: JsonSchema, place: JsonSchema | boolean, path: JsonPath, text: string): boolean {
  const shapes = listAlternatives(root, place)
  if (!shapes.every(isFreeText)) return false
  const name = String(path.findLast((key) => typeof key === 'string') ?? '')
  return standsForText(text) || shapes.some((shape) => exampleTexts(shape, name).includes(text.trim()))
}

/** Text in words of its own: no choice, code or number. Addresses of our own examples exist nowhere else. */
function isFreeText(shape: JsonSchema): boolean {
  const types = listTypes(shape)
  if (types.length > 0 && !types.includes('string')) return types.every((type) => type === 'null')
  return (
    allowedValues(shape) === undefined &&
    shape.pattern === undefined &&
    /^(?:email|uri|)$/.test(shape.format ?? '')
  )
}
