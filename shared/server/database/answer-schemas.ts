import { z } from 'zod'
import { isObject } from '../../engine/core/json-value.ts'
import type { ToolResult } from '../../engine/core/tool-error.ts'
import type { ToolSpecification } from '../../engine/core/tool-specification.ts'

// Parts of RPC answers that the database returns as stored: they were checked when they were stored.

/** A `ToolResult`; null if nobody has reported one. */
export const resultSchema = z
  .custom<ToolResult>((value) => isObject(value) && typeof value.ok === 'boolean')
  .nullable()

/** A tool of the catalogue. */
export const specificationSchema = z.custom<ToolSpecification>(
  (value) => isObject(value) && typeof value.name === 'string' && isObject(value.parameters),
)
