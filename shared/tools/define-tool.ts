import * as z from 'zod'
import type { JsonSchema } from '../schema/json-schema.ts'
import type { Effect, ExecuteContext, Tool, Verification } from './tool-specification.ts'

export interface ToolDefinition<Args> {
  name: string
  description: string
  /** A zod object schema, or a JSON Schema. */
  parameters: z.ZodType<Args> | JsonSchema
  /** Defaults to `write`: what is not known to be harmless is never repeated. */
  effect?: Effect
  trustedOutput?: string[]
  approval?: 'always'
  execute(args: Args, context: ExecuteContext): unknown
  verify?(args: Args, context: ExecuteContext): Promise<Verification>
}

/** Makes a tool: a specification that is plain JSON, and its implementation. */
export function defineTool<Args = Record<string, unknown>>(definition: ToolDefinition<Args>): Tool {
  const { name, description, parameters, effect = 'write', trustedOutput, approval } = definition
  const schema =
    parameters instanceof z.ZodType ? (z.toJSONSchema(parameters, { io: 'input' }) as JsonSchema) : parameters
  return {
    specification: {
      name,
      description,
      parameters: schema,
      effect,
      ...(trustedOutput ? { trustedOutput } : {}),
      ...(approval ? { approval } : {}),
    },
    execute: (args, context) => definition.execute(args as Args, context),
  }
}
