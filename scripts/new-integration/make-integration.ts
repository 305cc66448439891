import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readIntegrations } from '../../local/integrations/read-integrations.ts'
import { refreshIntegrations } from '../../local/integrations/refresh.ts'
import { isIntegrationName, nameRule, renameWeather } from '../../local/integrations/weather-template.ts'
import { StartError } from '../../local/process/start-error.ts'

export interface NewIntegration {
  /** Name of the function and its folder, like `weather-api`. */
  name: string
  /** Name of its tool, like `weather_forecast`. */
  tool: string
  test: string
  /** Files that were created or changed, relative to the project. */
  files: string[]
}

const templates = dirname(fileURLToPath(import.meta.url))
/** What every integration function imports. */
const packages = ['@cfworker/json-schema', 'hono', 'jose', 'zod']
const index = `import { createFunctionApp } from '../../../shared/server/integration-function/integration-app.ts'
import { createActions } from './actions.ts'
import { integration } from './integration.ts'

Deno.serve(createFunctionApp(integration, createActions, Deno.env.toObject()).fetch)
`

/**
 * Creates `supabase/functions/NAME-api`, a working example with its test, and updates the catalogue.
 * @throws {StartError} for a name that cannot be used, or a fault in an existing integration; then nothing is created
 */
export async function makeIntegration(project: string, word: string | undefined): Promise<NewIntegration> {
  const base = readName(word)
  const name = `${base}-api`
  const tool = `${base.replaceAll('-', '_')}_forecast`
  const folder = `supabase/functions/${name}`
  const test = `tests/functions/${name}.test.ts`
  const taken = [folder, test].find((path) => existsSync(join(project, path)))
  if (taken) throw new StartError(`${taken} is there already. Choose another name, or remove it first.`)
  const known = await readIntegrations(join(project, 'supabase/functions'))
  const owner = known.find(({ tools }) => tools.some(({ specification }) => specification.name === tool))
  if (owner) throw new StartError(`${owner.name} has a tool ${tool} already. Choose another name.`)
  await refreshIntegrations(join(project, 'supabase'), { check: true })

  const renamed = (template: string) => renameWeather(readFileSync(join(templates, template), 'utf8'), base)
  const files: Record<string, string> = {
    [`${folder}/integration.ts`]: renamed('weather-api/integration.ts'),
    [`${folder}/words.ts`]: renamed('weather-api/words.ts'),
    [`${folder}/actions.ts`]: renamed('weather-api/actions.ts'),
    [`${folder}/index.ts`]: index,
    [`${folder}/deno.json`]: `${JSON.stringify({ imports: readPins(project) }, null, 2)}\n`,
    [test]: renamed('weather-api.test.ts').replaceAll(`'./${name}/`, `'../../supabase/functions/${name}/`),
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(project, path)), { recursive: true })
    writeFileSync(join(project, path), text)
  }
  const refreshed = await refreshIntegrations(join(project, 'supabase')).catch((error) => {
    for (const path of [folder, test]) rmSync(join(project, path), { recursive: true })
    throw error
  })
  return { name, tool, test, files: [...Object.keys(files), ...refreshed] }
}

/** `weather` and `weather-api` both become `weather-api`. */
function readName(word: string | undefined): string {
  const base = (word ?? '').replace(/-api$/, '')
  if (isIntegrationName(base)) return base
  const problem = word
    ? `"${word}" is no name for an integration.`
    : 'The name of the integration is missing.'
  throw new StartError(`${problem} ${nameRule}: npm run new-integration -- weather`)
}

/** The versions of the top-level deno.json. */
function readPins(project: string): Record<string, string> {
  const { imports } = JSON.parse(readFileSync(join(project, 'deno.json'), 'utf8'))
  const pins = packages.map((name): [string, string] => [name, imports[name]])
  const folders = `${imports.hono.replace('npm:', 'npm:/')}/`
  return Object.fromEntries([...pins, ['hono/', folders]].sort(([a = ''], [b = '']) => (a < b ? -1 : 1)))
}
