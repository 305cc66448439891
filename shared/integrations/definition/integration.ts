import * as z from 'zod'
import type { JsonSchema } from '../../engine/core/json-schema.ts'
import type { ToolSpecification } from '../../engine/core/tool-specification.ts'
import type { IntegrationWords } from '../../words/tool-words.ts'

/** The `integration` export of `supabase/functions/<name>/integration.ts`: plain data that the catalogue is made from. */
export interface Integration {
  /** Name of the edge function and its folder, like `smtp-api`. */
  name: string
  providers: readonly IntegrationProvider[]
  tools: readonly CatalogueTool[]
  /** What people read of them in other languages: all texts of a tool or a provider, or it is English there. */
  words?: IntegrationWords
}

/** A provider that a user connects once and its tools then use. A row of the table `integrations`. */
export interface IntegrationProvider {
  /** Key of connections and secrets, like `smtp`. */
  id: string
  /** Its name in sentences: "Your SMTP service needs to be set up." */
  name: string
  description: string
  /** The kind of service: "The search service needs to be configured." */
  service: string
  /** What the tools need it for: "before I can perform web searches". */
  purpose: string
  /** Present if users sign in with the provider instead of filling in fields. */
  oauth?: OAuthAccess
  /** Everybody has it without connecting it. */
  builtIn?: true
  /**
   * The values of a connection; the settings form is made from it, and so is the sentence on what to set up.
   * Fields with `secret: true` are stored encrypted, the others as metadata that the owner may read. `keysAt` of the
   * schema is the page where people get the key.
   */
  connection: JsonSchema
}

/** The permissions to ask a provider with OAuth 2.0 for. */
export interface OAuthAccess {
  /** The authorization server. */
  server: 'google'
  /**
   * By tool name, or `tool:action` if one action needs more: any one of the scopes is enough, and the first one is
   * requested. The first entry of the table is requested if nobody says which tools are wanted.
   */
  scopes: Readonly<Record<string, readonly string[]>>
  /** By scope: what it allows, in words like "Send mail without reading any". */
  words?: Readonly<Record<string, string>>
}

/** A tool of the catalogue: its specification and the action of its function. A row of the table `tools`. */
export interface CatalogueTool {
  specification: ToolSpecification
  /** The `action` of the request to the function. */
  action: string
}

export interface IntegrationToolDefinition extends Omit<ToolSpecification, 'parameters'> {
  parameters: z.ZodType
  action: string
}

/** Makes a catalogue row from a zod schema whose `.meta()` holds the questions. */
export function integrationTool(definition: IntegrationToolDefinition): CatalogueTool {
  const { action, parameters, ...rest } = definition
  return { specification: { ...rest, parameters: toJsonSchema(parameters) }, action }
}

/** The schema of a caller's input (members with defaults are optional), keeping every `.meta()` keyword. */
export function toJsonSchema(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, { io: 'input' }) as JsonSchema
}

/** Names of the fields that are stored encrypted. */
export function secretFields({ connection }: Pick<IntegrationProvider, 'connection'>): string[] {
  return Object.entries(connection.properties ?? {})
    .filter(([, field]) => typeof field === 'object' && field.secret === true)
    .map(([name]) => name)
}
