import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readIntegrations } from '../../local/integrations/read-integrations.ts'
import { refreshIntegrations } from '../../local/integrations/refresh.ts'
import { isIntegrationName, nameRule, renameTemplate } from '../../local/integrations/template-name.ts'
import { StartError } from '../../local/process/start-error.ts'

export interface NewIntegration {
  /** Name of the function and its folder, like `tasks-api`. */
  name: string
  /** Name of its tool that reads, like `tasks_find`. */
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
  const [tool, ...others] = ['find', 'add'].map((verb) => `${base.replaceAll('-', '_')}_${verb}`) as [
    string,
    string,
  ]
  const folder = `supabase/functions/${name}`
  const test = `tests/functions/${name}.test.ts`
  const taken = [folder, test].find((path) => existsSync(join(project, path)))
  if (taken) throw new StartError(`${taken} is there already. Choose another name, or remove it first.`)
  const known = await readIntegrations(join(project, 'supabase/functions'))
  for (const one of [tool, ...others]) {
    const owner = known.find(({ tools }) => tools.some(({ specification }) => specification.name === one))
    if (owner) throw new StartError(`${owner.name} has a tool ${one} already. Choose another name.`)
  }
  const owner = known.find(({ providers }) => providers.some(({ id }) => id === base))
  if (owner) throw new StartError(`${owner.name} has a provider ${base} already. Choose another name.`)
  await refreshIntegrations(join(project, 'supabase'), { check: true })

  const renamed = (template: string) => renameTemplate(readFileSync(join(templates, template), 'utf8'), base)
  const files: Record<string, string> = {
    [`${folder}/integration.ts`]: renamed('tasks-api/integration.ts'),
    [`${folder}/words.ts`]: renamed('tasks-api/words.ts'),
    [`${folder}/actions.ts`]: renamed('tasks-api/actions.ts'),
    [`${folder}/index.ts`]: index,
    [`${folder}/deno.json`]: `${JSON.stringify({ imports: readPins(project) }, null, 2)}\n`,
    [test]: renamed('tasks-api.test.ts').replaceAll(`'./${name}/`, `'../../supabase/functions/${name}/`),
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

/** `tasks` and `tasks-api` are the same; without the ending. */
function readName(word: string | undefined): string {
  const base = (word ?? '').replace(/-api$/, '')
  if (isIntegrationName(base)) return base
  const problem = word
    ? `"${word}" is no name for an integration.`
    : 'The name of the integration is missing.'
  throw new StartError(`${problem} ${nameRule}: npm run new-integration -- tasks`)
}

/** The versions of the top-level deno.json. */
function readPins(project: string): Record<string, string> {
  const { imports } = JSON.parse(readFileSync(join(project, 'deno.json'), 'utf8'))
  const pins = packages.map((name): [string, string] => [name, imports[name]])
  const folders = `${imports.hono.replace('npm:', 'npm:/')}/`
  return Object.fromEntries([...pins, ['hono/', folders]].sort(([a = ''], [b = '']) => (a < b ? -1 : 1)))
}
