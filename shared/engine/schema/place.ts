import { type JsonPath, valueAt } from '../core/json-path.ts'
import type { JsonSchema } from '../core/json-schema.ts'
import { schemaAt } from './resolve-schema.ts'

/**
 * A place in the arguments of a call, resolved once: what stands there, and what its schema says. Inside the engine a place
 * is data; its path becomes text where it leaves it: in errors, entries and sentences.
 */
export interface Place {
  path: JsonPath
  schema: JsonSchema | boolean
  value: unknown
}

/** A tool's parameters, and what a call gave for them. */
export interface CalledWith {
  parameters: JsonSchema
  args: Record<string, unknown>
}

/** The place of a path as the tool declares it: with `true` as its schema if it does not. */
export function declaredPlace({ parameters, args }: CalledWith, path: JsonPath): Place {
  return { path, schema: schemaAt(parameters, path), value: valueAt(args, path) }
}

/** Whether a place belongs to the tool: declared, or sent where anything is allowed. */
export function isOfTool({ path, schema, value }: Place): boolean {
  return path.length > 0 && (schema !== true || value !== undefined)
}
