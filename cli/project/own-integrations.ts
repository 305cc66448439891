import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { findFault } from '../../local/integrations/integration-fault.ts'
import { renameWeather } from '../../local/integrations/weather-template.ts'
import type { Integration } from '../../shared/integrations/definition/integration.ts'
import { Refusal } from '../command/refusal.ts'
import { findProjectDeno } from '../package/local-package.ts'
import { packageFolder } from '../package/package-folder.ts'

/** The files of a new integration and what they define: a working example with the given name. */
export function newIntegration(base: string): { files: Record<string, string>; integration: Integration } {
  const folder = join(packageFolder, 'templates')
  const read = (file: string) => renameWeather(readFileSync(join(folder, file), 'utf8'), base)
  const files = ['index.ts', 'deno.json', 'integration.ts', 'words.ts', 'actions.ts'].map(
    (file): [string, string] => [`supabase/functions/${base}-api/${file}`, read(file)],
  )
  return { files: Object.fromEntries(files), integration: JSON.parse(read('integration.json')) }
}

/**
 * What the `integration.ts` of a project defines.
 * @throws {Refusal} when it cannot be run, or it is not right
 */
export function loadIntegration(project: string, name: string): Integration {
  const folder = join(project, 'supabase/functions', name)
  const path = join(folder, 'integration.ts')
  if (!existsSync(path))
    throw new Refusal(
      `supabase/functions/${name} is there already, and has no integration.ts. Choose another name.`,
    )
  const urlOf = (file: string) => JSON.stringify(pathToFileURL(join(folder, file)).href)
  // Which actions there are is not known if its code cannot run here, or looks others up. What it has begun ends with it.
  const code = `import { integration } from ${urlOf('integration.ts')}
    const actions = await import(${urlOf('actions.ts')})
      .then(({ createActions }) => createActions(Deno.env.toObject()))
      .then((made) => made.findAction ? null : made.actions.map(({ tool }) => tool.action))
      .catch(() => null)
    console.log('\\n' + JSON.stringify([integration ?? null, actions]))
    Deno.exit()`
  const words = [
    'run',
    '--quiet',
    '--no-lock',
    '--no-check',
    '--allow-env',
    '--config',
    join(folder, 'deno.json'),
  ]
  const { error, status, stdout, stderr } = spawnSync(findProjectDeno(project), [...words, '-'], {
    input: code,
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1', DENO_NO_PACKAGE_JSON: '1', DENO_NO_UPDATE_CHECK: '1' },
  })
  if (error)
    throw new Refusal(
      `Deno is needed to read supabase/functions/${name}/integration.ts. It comes with the package askback-local, or from https://deno.com.`,
    )
  if (status !== 0)
    throw new Refusal(`supabase/functions/${name}/integration.ts cannot be run.\n${withoutStack(stderr)}`)
  const [integration, actions] = JSON.parse(stdout.trim().split('\n').at(-1) ?? '')
  const fault = findFault(integration, name) ?? findMissingAction(integration, actions)
  if (fault) throw new Refusal(`supabase/functions/${name}/integration.ts: ${fault}`)
  return integration
}

/** A tool that nothing would run, as the end of a sentence. */
function findMissingAction({ tools }: Integration, actions: readonly string[] | null): string | undefined {
  const lost = tools.find(({ action }) => actions !== null && !actions.includes(action))
  return (
    lost &&
    `the tool "${lost.specification.name}" has the action "${lost.action}", which actions.ts does not have (it has ${actions?.join(', ') || 'none'}). Add it there.`
  )
}

/** What Deno says, without where in itself it was. */
function withoutStack(text: string): string {
  return text.replace(/\n\s*Stack backtrace:.*/s, '').trim()
}
