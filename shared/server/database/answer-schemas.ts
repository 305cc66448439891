import { z } from 'zod'
import { isObject } from '../../engine/core/json-value.ts'
import type { ToolResult } from '../../engine/core/tool-error.ts'
import type { ToolSpecification } from '../../engine/core/tool-specification.ts'

// Parts of what RPCs answer that the database stores whole: what stood in them was checked when it was stored.

/** A `ToolResult`; null where nobody has reported one. */
export const resultSchema = z
  .custom<ToolResult>((value) => isObject(value) && typeof value.ok === 'boolean')
  .nullable()

/** A tool as the catalogue has it. */
export const specificationSchema = z.custom<ToolSpecification>(
  (value) => isObject(value) && typeof value.name === 'string' && isObject(value.parameters),
)
