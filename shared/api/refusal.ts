import { z } from 'zod'
import { once } from './route.ts'
import { errorDetails, resolver } from './tool-result.ts'

/** How every request is refused. */
export const refusal = once(() =>
  z
    .strictObject({
      error: z.strictObject({
        code: z.string().describe('Stable: programs branch on it.'),
        message: z.string().min(1).describe('A sentence that says what happened and what to do.'),
        errorType: z
          .string()
          .optional()
          .describe('Of values that do not fit a connection, with the next two.'),
        resolver: resolver().optional(),
        details: errorDetails().optional(),
      }),
    })
    .meta({ id: 'Refusal', description: 'How every request is refused.' }),
)
