import { formatPath, type JsonPath } from '../core/json-path.ts'
import type { JsonSchema } from '../core/json-schema.ts'
import { isObject } from '../core/json-value.ts'
import type { Correction } from '../core/tool-error.ts'
import { flattenSchema, itemSchema } from '../schema/resolve-schema.ts'
import { isSecretPlace } from '../schema/secret-place.ts'

/** Stands for a long text that stays as it was sent. */
export const asSent = '<as sent>'

const longText = 200

/**
 * The arguments as the model reads them: in the order of the schema, and with `mayShorten` a kept text of more than
 * 200 characters as `<as sent>`, but never a value that must come from the user. A secret is always `<as sent>`:
 * if that cannot be resolved, it is missing, and never shown.
 */
export function shownArguments(
  { arguments: args, open }: Correction,
  schema: JsonSchema | undefined,
  mayShorten: boolean,
): Record<string, unknown> {
  const show = (value: unknown, path: JsonPath, place: JsonSchema | undefined): unknown => {
    if (open.includes(formatPath(path))) return value
    if (isSingle(value) && isSecretPlace(path, place)) return asSent
    if (place?.source === 'conversation') return value
    if (typeof value === 'string') return mayShorten && value.length > longText ? asSent : value
    if (Array.isArray(value)) {
      return value.map((item, index) =>
        show(item, [...path, index], flatten(place && itemSchema(place, index))),
      )
    }
    if (!isObject(value)) return value
    const names = [...new Set([...Object.keys(place?.properties ?? {}), ...Object.keys(value)])]
    return Object.fromEntries(
      names
        .filter((name) => Object.hasOwn(value, name))
        .map((name) => [name, show(value[name], [...path, name], flatten(place?.properties?.[name]))]),
    )
  }
  const flatten = (part: JsonSchema | boolean | undefined) =>
    schema && typeof part === 'object' ? flattenSchema(schema, part) : undefined
  return show(args, [], flatten(schema)) as Record<string, unknown>
}

function isSingle(value: unknown): boolean {
  return (typeof value === 'string' && value !== '') || typeof value === 'number'
}
