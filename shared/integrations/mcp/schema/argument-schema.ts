import type { JsonSchema } from '../../../engine/core/json-schema.ts'
import { storableJson } from '../../../engine/core/storable-json.ts'
import { compileSchema } from '../../../engine/schema/compile-schema.ts'
import { acceptMore } from './accept-more.ts'
import { type Budget, type ReadSchema, readSchema } from './read-schema.ts'
import { cutReferences } from './references.ts'
import { SchemaError } from './schema-error.ts'

/** Characters of JSON; the largest one that was recorded has 12,000. */
const longestSchema = 64 * 1024

/**
 * The schema of a tool's arguments as the engine checks calls by it: whatever its server would take, it takes, and `isLoose`
 * says that it takes more. Throws SchemaError if it is of no use.
 */
export function readArgumentSchema(given: unknown, budget: Budget): ReadSchema {
  const { schema, isLoose } = readDocument(given ?? {}, budget)
  const types = [schema.type ?? 'object'].flat()
  if (!types.includes('object')) throw new SchemaError('foreign_tool_takes_no_object')
  const whole = { ...schema, type: 'object' }
  requireUsable(whole)
  return { schema: whole, isLoose }
}

/** The schema of what a tool returns, which nobody checks; undefined if it cannot be read, or is none. */
export function readResultSchema(given: unknown, budget: Budget): JsonSchema | undefined {
  if (given === undefined || given === null) return undefined
  try {
    const { schema } = readDocument(given, budget)
    return isOfUse(schema) ? schema : undefined
  } catch {
    return undefined
  }
}

function readDocument(given: unknown, budget: Budget): ReadSchema {
  const { schema, isLoose: isPartly } = readSchema(given, budget)
  const isLoose = cutReferences(schema) || isPartly
  if (isLoose) acceptMore(schema)
  return { schema, isLoose }
}

function requireUsable(schema: JsonSchema): void {
  const json = JSON.stringify(schema)
  if (json.length > longestSchema) throw new SchemaError('foreign_tool_too_large')
  if (storableJson(json) !== json) throw new SchemaError('foreign_tool_characters')
  compileSchema(schema).isValid({})
}

function isOfUse(schema: JsonSchema): boolean {
  const json = JSON.stringify(schema)
  return json.length <= longestSchema && storableJson(json) === json
}
