import { z } from 'zod'
import { isObject } from '../../../../shared/engine/core/json-value.ts'
import type { ToolSpecification } from '../../../../shared/engine/core/tool-specification.ts'

/** A tool specification as the catalogue has it: it was checked when it was stored. */
export const specificationSchema = z.custom<ToolSpecification>(
  (value) => isObject(value) && typeof value.name === 'string' && isObject(value.parameters),
)
