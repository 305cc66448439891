import { z } from 'zod'
import { once } from '../engine/core/once.ts'
import { defaultResolver, type ToolErrorType } from '../engine/core/tool-error.ts'

// The result of a tool, and the contents of an error.

const errorType = () => z.enum(Object.keys(defaultResolver) as [ToolErrorType, ...ToolErrorType[]])
const place = () => z.string().describe('A path in the arguments, such as `to[0]`.')

const problem = () =>
  z.strictObject({
    errorType: errorType(),
    parameter: place().optional(),
    expected: z.string().optional(),
    actual: z.string().optional(),
    suggestion: z.string().optional(),
  })

/** The facts of an error. */
export const errorDetails = once(() =>
  z
    .strictObject({
      parameter: place().optional(),
      value: z.unknown().optional(),
      expected: z.string().optional(),
      actual: z.string().optional(),
      constraint: z.string().optional(),
      allowed: z.array(z.unknown()).optional(),
      requiredParameters: z.array(z.string()).optional(),
      example: z.unknown().optional(),
      suggestion: z.string().optional().describe('A suggested name or value, without any text around it.'),
      action: z.strictObject({ label: z.string(), href: z.string() }).optional(),
      hint: z.string().optional().describe('A sentence from the tool’s author.'),
      asked: z
        .strictObject({
          code: z.string(),
          values: z.record(z.string(), z.unknown()).optional(),
          because: z.string().optional(),
          asked: z.string(),
          hint: z.string().optional(),
          alsoNeeded: z.array(z.string()).optional(),
        })
        .optional()
        .describe('What the user is asked or told.'),
      asker: z
        .string()
        .optional()
        .describe('The title of the tool, if nothing but its own words support the error.'),
      said: z
        .enum(['question', 'failure'])
        .optional()
        .describe('Set if the sentence comes from the tool itself.'),
      correction: z
        .strictObject({
          name: z.string(),
          arguments: z.record(z.string(), z.unknown()),
          open: z.array(z.string()),
        })
        .optional()
        .describe('The call as it should be sent. `open` lists the places that still have to be filled in.'),
      problems: z.array(problem()).optional().describe('All problems with the call.'),
    })
    .meta({ id: 'ToolErrorDetails' }),
)

export const resolver = () => z.enum(['model', 'time', 'user', 'nobody'])

/** A failed call. */
export const toolError = once(() =>
  z
    .strictObject({
      ok: z.literal(false),
      error: z
        .string()
        .describe('A sentence. It begins with `Question:` if the model or the user can answer it.'),
      errorType: errorType(),
      resolver: resolver().describe('Who can resolve it.'),
      retryAfterMs: z.number().optional(),
      details: errorDetails(),
    })
    .meta({ id: 'ToolError' }),
)

export const toolResult = once(() =>
  z
    .discriminatedUnion('ok', [z.strictObject({ ok: z.literal(true), data: z.unknown() }), toolError()])
    .meta({ id: 'ToolResult' }),
)
