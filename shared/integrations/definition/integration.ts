import * as z from 'zod'
import type { JsonSchema } from '../../engine/core/json-schema.ts'
import type { ToolSpecification } from '../../engine/core/tool-specification.ts'

/** A provider: what a user connects once, and what its tools then use. A row of the table `integrations`. */
export interface IntegrationProvider {
  /** Key of connections and secrets, like `smtp`. */
  id: string
  /** How sentences name it: "Your SMTP service needs to be set up." */
  name: string
  description: string
  /** What kind of service it is: "The search service needs to be configured." */
  service: string
  /** What the tools cannot do without it: "before I can perform web searches". */
  purpose: string
  /** There where the user signs in with the provider instead of filling in the fields. */
  oauthScopes?: string[]
  /**
   * What a connection holds; the settings form is made from it, and so is the sentence on what to set up.
   * Fields with `secret: true` are stored encrypted, the others as metadata that the owner may read.
   */
  connection: JsonSchema
}

/** A tool of the catalogue: what the model is told, and which function runs it. A row of the table `tools`. */
export interface CatalogueTool {
  specification: ToolSpecification
  /** The edge function that runs it, like `smtp-api`. */
  function: string
  /** What the function is asked to do: `action` of the request. */
  action: string
}

export interface IntegrationToolDefinition
  extends Pick<
    ToolSpecification,
    'name' | 'title' | 'description' | 'effect' | 'trustedOutput' | 'confirm' | 'maxOutputBytes' | 'providers'
  > {
  parameters: z.ZodType
  function: string
  action: string
}

/** Makes a row of the catalogue from a zod schema whose `.meta()` carries the questions. */
export function integrationTool(definition: IntegrationToolDefinition): CatalogueTool {
  const { function: functionName, action, parameters, ...rest } = definition
  return {
    specification: { ...rest, parameters: toJsonSchema(parameters) },
    function: functionName,
    action,
  }
}

/** The schema of what a caller may send (defaults are optional), with every `.meta()` keyword kept. */
export function toJsonSchema(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, { io: 'input' }) as JsonSchema
}

/** Names of the fields that are stored encrypted. */
export function secretFields(provider: IntegrationProvider): string[] {
  return Object.entries(provider.connection.properties ?? {})
    .filter(([, field]) => typeof field === 'object' && field.secret === true)
    .map(([name]) => name)
}
