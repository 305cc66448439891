import type { JsonSchema } from '../schema/json-schema.ts'
import type { Correction } from './tool-error.ts'

/** Stands for a long text the model has already sent (DESIGN section 4, "Slots are no values"). */
export const asSent = '<as sent>'

const longText = 200

/** The arguments as the model reads them: with `allowed`, a kept text of more than 200 characters becomes `<as sent>`. */
export function shortenArguments(
  correction: Correction,
  schema: JsonSchema | undefined,
  allowed: boolean,
): Record<string, unknown> {
  if (!allowed) return correction.arguments
  const open = new Set(correction.open)
  const shorten = (value: unknown, path: string, part: JsonSchema | boolean | undefined): unknown => {
    const described = typeof part === 'object' ? part : undefined
    if (described?.source === 'conversation' || open.has(path)) return value
    if (typeof value === 'string') return value.length > longText ? asSent : value
    if (Array.isArray(value)) {
      const items = Array.isArray(described?.items) ? undefined : described?.items
      return value.map((item, index) => shorten(item, `${path}[${index}]`, items))
    }
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [
        name,
        shorten(member, path ? `${path}.${name}` : name, described?.properties?.[name]),
      ]),
    )
  }
  return shorten(correction.arguments, '', schema) as Record<string, unknown>
}
