import type { JsonPath } from '../core/json-path.ts'
import type { JsonSchema } from '../core/json-schema.ts'

/**
 * A place in the arguments of a call, resolved once: what stands there, and what its schema says. Inside the engine a place
 * is data; its path becomes text where it leaves it: in errors, entries and sentences.
 */
export interface Place {
  path: JsonPath
  schema: JsonSchema | boolean
  value: unknown
}
