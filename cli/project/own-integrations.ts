import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { findFault } from '../../local/integrations/integration-fault.ts'
import type { Integration } from '../../shared/integrations/definition/integration.ts'
import { Refusal } from '../command/refusal.ts'
import { packageFolder } from '../package/package-folder.ts'

const template = 'weather'

/** The files of a new integration and what they define: a working example with the given name. */
export function newIntegration(base: string): { files: Record<string, string>; integration: Integration } {
  const folder = join(packageFolder, 'templates')
  const read = (file: string) => rename(readFileSync(join(folder, file), 'utf8'), base)
  const files = ['index.ts', 'deno.json', 'integration.ts', 'actions.ts'].map((file): [string, string] => [
    `supabase/functions/${base}-api/${file}`,
    read(file),
  ])
  return { files: Object.fromEntries(files), integration: JSON.parse(read('integration.json')) }
}

/**
 * What the `integration.ts` of a project defines.
 * @throws {Refusal} when this Node cannot load it, or it is not right
 */
export async function loadIntegration(project: string, name: string): Promise<Integration> {
  const path = join(project, 'supabase/functions', name, 'integration.ts')
  if (!existsSync(path))
    throw new Refusal(
      `supabase/functions/${name} is there already, and has no integration.ts. Choose another name.`,
    )
  const module = await import(pathToFileURL(path).href).catch((cause) => {
    throw new Refusal(
      `supabase/functions/${name}/integration.ts could not be loaded (${cause.message}). It takes Node 22.18 or later, and zod: npm install zod.`,
    )
  })
  const fault = findFault(module.integration, name)
  if (fault) throw new Refusal(`supabase/functions/${name}/integration.ts: ${fault}`)
  return module.integration
}

/** The template's names in all their spellings. */
function rename(text: string, base: string): string {
  const words = base.split('-')
  const camel = words
    .map((word, at) => (at === 0 ? word : `${word[0]?.toUpperCase()}${word.slice(1)}`))
    .join('')
  return text
    .replaceAll(`${template}-api`, `${base}-api`)
    .replaceAll(`${template}_forecast`, `${words.join('_')}_forecast`)
    .replaceAll(`${template}Forecast`, `${camel}Forecast`)
    .replaceAll(`${template.toUpperCase()}_API`, `${words.join('_').toUpperCase()}_API`)
}
