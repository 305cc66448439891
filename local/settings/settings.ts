import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { StartError } from '../process/start-error.ts'
import { parseEnvText } from './env-text.ts'
import type { Project } from './project.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** What `npm start` reads from the environment. */
export interface Settings {
  /** Port of the one origin; 0 takes any free one. */
  port: number
  /** Absolute path of the folder that keeps keys, database and caches. */
  dataDirectory: string
  /** A PostgreSQL server to use instead of the embedded one. */
  databaseUrl: string | undefined
  /** The folder of another PostgreSQL (`bin`, `lib`, `share`) than the one from npm. */
  postgresDirectory: string | undefined
  /** The folder with `migrations`, `functions` and, where a project has one, `seed.sql`. */
  supabaseDirectory: string
  /** The folder with `NAME/index.ts`; ASKBACK_FUNCTIONS_DIR is for tests of the stack itself. */
  functionsDirectory: string
  /** How often to look for waiting runs that are due; ASKBACK_CLOCK_SECONDS is for tests, too. */
  clockSeconds: number
  /** New accounts are confirmed by a link in a mail, as on a hosted project; the mail arrives in the local inbox. */
  confirmsEmail: boolean
  /** Somebody's own project; without it, the stack runs this repository. */
  project?: Project
  /** Everything else: model settings and whatever the functions read. */
  environment: Environment
}

const defaultPort = 54321

/**
 * The environment takes precedence over `supabase/functions/.env`, which the Supabase CLI reads too.
 * @throws {StartError} when a setting cannot be used
 */
export function readSettings(environment: Environment, supabaseDirectory: string): Settings {
  const functionsDirectory = resolve(
    environment.ASKBACK_FUNCTIONS_DIR || join(supabaseDirectory, 'functions'),
  )
  return {
    port: readPort(environment.ASKBACK_PORT),
    dataDirectory: resolve(environment.ASKBACK_DATA_DIR || '.askback'),
    databaseUrl: readDatabaseUrl(environment.DATABASE_URL),
    postgresDirectory: readPostgresDirectory(environment.ASKBACK_POSTGRES_DIR),
    supabaseDirectory,
    functionsDirectory,
    clockSeconds: Number(environment.ASKBACK_CLOCK_SECONDS) || 5,
    confirmsEmail: environment.ASKBACK_CONFIRM_EMAIL === 'true',
    environment: { ...readEnvFile(join(functionsDirectory, '.env')), ...environment },
  }
}

/**
 * The same for somebody's own project: everything is in its folder, and \`config.toml\` says the rest.
 * @throws {StartError} when a setting cannot be used
 */
export function readProjectSettings(environment: Environment, project: Project): Settings {
  const { directory, config, resets } = project
  const settings = readSettings(
    {
      ...environment,
      ASKBACK_FUNCTIONS_DIR: '',
      ASKBACK_PORT: environment.ASKBACK_PORT || String(config.api.port ?? defaultPort),
      ASKBACK_DATA_DIR: environment.ASKBACK_DATA_DIR || join(directory, '.askback'),
    },
    join(directory, 'supabase'),
  )
  if (resets && settings.databaseUrl !== undefined) {
    throw new StartError(
      '--reset is for the embedded PostgreSQL. Empty the database of DATABASE_URL yourself, or unset it.',
    )
  }
  const confirmsEmail = settings.confirmsEmail || config.auth.email.enable_confirmations
  return { ...settings, confirmsEmail, project }
}

function readPort(text: string | undefined): number {
  if (!text) return defaultPort
  const port = Number(text)
  if (/^\d{1,5}$/.test(text) && port <= 65535) return port
  throw new StartError(
    `ASKBACK_PORT is "${text}". Set it to a port from 1 to 65535, or to 0 for any free one.`,
  )
}

function readDatabaseUrl(text: string | undefined): string | undefined {
  if (!text) return undefined
  if (/^postgres(ql)?:\/\//.test(text) && URL.canParse(text)) return text
  throw new StartError(
    'DATABASE_URL is not a PostgreSQL address. Write it like postgres://user:password@127.0.0.1:5432/postgres, or unset it to use the embedded PostgreSQL.',
  )
}

function readPostgresDirectory(text: string | undefined): string | undefined {
  if (!text) return undefined
  const directory = resolve(text)
  if (existsSync(join(directory, 'bin/postgres'))) return directory
  throw new StartError(
    `ASKBACK_POSTGRES_DIR is "${text}", where there is no bin/postgres. Set it to the folder of a PostgreSQL that has bin, lib and share, or unset it.`,
  )
}

function readEnvFile(path: string): Environment {
  return existsSync(path) ? parseEnvText(readFileSync(path, 'utf8')) : {}
}
