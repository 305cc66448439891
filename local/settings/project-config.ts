import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { getStaticTOMLValue, ParseError, parseTOML } from 'toml-eslint-parser'
import * as z from 'zod'
import { StartError } from '../process/start-error.ts'

/** What the Supabase CLI does where a setting is missing. */
const functionSchema = z.object({
  enabled: z.boolean().catch(true),
  verify_jwt: z.boolean().catch(true),
  /** Relative to `supabase/`, like all paths here. */
  import_map: z.string().optional().catch(undefined),
  entrypoint: z.string().optional().catch(undefined),
})

const configSchema = section({
  api: section({
    port: z.int().min(1).max(65535).optional().catch(undefined),
    schemas: z.array(z.string()).catch(['public', 'graphql_public']),
    // The stricter one of what hosted projects have: since 2026-10-30, new tables need a grant.
    auto_expose_new_tables: z.boolean().catch(false),
  }),
  db: section({
    seed: section({
      enabled: z.boolean().catch(true),
      sql_paths: z.array(z.string()).catch(['./seed.sql']),
    }),
  }),
  auth: section({
    email: section({ enable_confirmations: z.boolean().catch(false) }),
    oauth_server: section({
      enabled: z.boolean().catch(false),
      authorization_url_path: z.string().catch('/oauth/consent'),
      allow_dynamic_registration: z.boolean().catch(false),
    }),
  }),
  functions: z.record(z.string(), functionSchema).catch({}),
})

/** A table; where it is missing, its members are. */
function section<Shape extends z.ZodRawShape>(shape: Shape) {
  const table = z.object(shape)
  return table.catch(() => table.parse({}))
}

/** The settings of a project's `config.toml` that the stack uses. */
export type ProjectConfig = z.infer<typeof configSchema>
export type FunctionConfig = z.infer<typeof functionSchema>

export const functionDefaults: FunctionConfig = functionSchema.parse({})

/**
 * Reads `supabase/config.toml`. A setting of the wrong type counts as missing: the Supabase CLI says what is wrong with it.
 * @throws {StartError} if it is not TOML
 */
export function readProjectConfig(supabaseDirectory: string): ProjectConfig {
  const path = join(supabaseDirectory, 'config.toml')
  if (!existsSync(path)) return configSchema.parse({})
  try {
    return configSchema.parse(getStaticTOMLValue(parseTOML(readFileSync(path, 'utf8'))))
  } catch (error) {
    if (!(error instanceof ParseError)) throw error
    throw new StartError(`supabase/config.toml cannot be read: line ${error.lineNumber}: ${error.message}`)
  }
}
