import * as z from 'zod'
import type { JsonSchema } from '../../engine/core/json-schema.ts'
import type { ToolSpecification } from '../../engine/core/tool-specification.ts'

/** What `supabase/functions/<name>/integration.ts` exports as `integration`: data alone, the catalogue is made from it. */
export interface Integration {
  /** Name of the edge function and its folder, like `smtp-api`. */
  name: string
  providers: readonly IntegrationProvider[]
  tools: readonly CatalogueTool[]
}

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
  oauth?: OAuthAccess
  /** Everybody has it, and nobody has to connect it. */
  builtIn?: true
  /**
   * What a connection holds; the settings form is made from it, and so is the sentence on what to set up.
   * Fields with `secret: true` are stored encrypted, the others as metadata that the owner may read.
   */
  connection: JsonSchema
}

/** What a provider with OAuth 2.0 is asked for. */
export interface OAuthAccess {
  /** Whose authorization server it is. */
  server: 'google'
  /**
   * By tool name, or `tool:action` where one action needs more: the scopes of which any one suffices; the first
   * is the one to ask for. What stands first in the table is asked for where nobody says which tools are wanted.
   */
  scopes: Readonly<Record<string, readonly string[]>>
  /** By scope: what the user has allowed with it, in words like "Send mail, and see none". */
  words?: Readonly<Record<string, string>>
}

/** A tool of the catalogue: what the model is told, and what its function is asked to do. A row of the table `tools`. */
export interface CatalogueTool {
  specification: ToolSpecification
  /** What the function is asked to do: `action` of the request. */
  action: string
}

export interface IntegrationToolDefinition extends Omit<ToolSpecification, 'parameters'> {
  parameters: z.ZodType
  action: string
}

/** Makes a row of the catalogue from a zod schema whose `.meta()` carries the questions. */
export function integrationTool(definition: IntegrationToolDefinition): CatalogueTool {
  const { action, parameters, ...rest } = definition
  return { specification: { ...rest, parameters: toJsonSchema(parameters) }, action }
}

/** The schema of what a caller may send (defaults are optional), with every `.meta()` keyword kept. */
export function toJsonSchema(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, { io: 'input' }) as JsonSchema
}

/** Names of the fields that are stored encrypted. */
export function secretFields({ connection }: Pick<IntegrationProvider, 'connection'>): string[] {
  return Object.entries(connection.properties ?? {})
    .filter(([, field]) => typeof field === 'object' && field.secret === true)
    .map(([name]) => name)
}
