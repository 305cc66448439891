import { z } from 'zod'
import { once } from '../engine/core/once.ts'
import { errorDetails, resolver } from './tool-result.ts'

/** How every request is refused. */
export const refusal = once(() =>
  z
    .strictObject({
      error: z.strictObject({
        code: z.string().describe('A stable code that programs can rely on.'),
        message: z.string().min(1).describe('A sentence that says what happened and what to do.'),
        errorType: z
          .string()
          .optional()
          .describe('Only for refused values of a connection, as are `resolver` and `details`.'),
        resolver: resolver().optional(),
        details: errorDetails().optional(),
      }),
    })
    .meta({ id: 'Refusal', description: 'The body of every refused request.' }),
)
