import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadIntegration } from '../../local/integrations/load-integration.ts'
import { renameTemplate } from '../../local/integrations/template-name.ts'
import type { Integration } from '../../shared/integrations/definition/integration.ts'
import { Refusal } from '../command/refusal.ts'
import { findProjectDeno } from '../package/local-package.ts'
import { packageFolder } from '../package/package-folder.ts'

const templates = ['index.ts', 'deno.json', 'integration.ts', 'words.ts', 'actions.ts', 'actions.test.ts']

/** The files of a new integration, by path: a working example with the given name. */
export function newIntegration(base: string): Record<string, string> {
  const files = templates.map((file): [string, string] => [
    `supabase/functions/${base}-api/${file}`,
    renameTemplate(
      readFileSync(join(packageFolder, 'templates', file.replace('.test.', '-test.')), 'utf8'),
      base,
    ),
  ])
  return Object.fromEntries(files)
}

/**
 * What the `integration.ts` of a project defines.
 * @throws {Refusal} when it cannot be run, or it is not right
 */
export function readOwnIntegration(project: string, name: string): Integration {
  const folder = join(project, 'supabase/functions', name)
  if (!existsSync(join(folder, 'integration.ts')))
    throw new Refusal(
      `supabase/functions/${name} is there already, and has no integration.ts. Choose another name.`,
    )
  const loaded = loadIntegration(findProjectDeno(project), folder, name)
  if ('fault' in loaded) throw new Refusal(loaded.fault)
  return loaded.integration
}
