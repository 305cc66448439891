import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { writeCatalogue } from '../../local/integrations/catalogue-sql.ts'
import { missingWords } from '../../local/integrations/integration-words.ts'
import { isIntegrationName, nameRule } from '../../local/integrations/weather-template.ts'
import type { Integration } from '../../shared/integrations/definition/integration.ts'
import type { Call, ExitCode } from '../command/command.ts'
import { Refusal } from '../command/refusal.ts'
import { applyChanges, type Change, describeChanges, pending, readProjectFile } from '../project/changes.ts'
import { planInstallation } from '../project/installation.ts'
import { integrationMigrations, migrationNameOf, newMigrationPath } from '../project/migrations.ts'
import { loadIntegration, newIntegration } from '../project/own-integrations.ts'
import { requireRecord } from '../project/record.ts'

/**
 * `askback new-integration NAME`: a working integration of the project's own, as a function and a migration. For one that
 * is there already, a migration with what its `integration.ts` says now.
 */
export async function run(call: Call): Promise<ExitCode> {
  const project = call.project()
  const record = requireRecord(project)
  if (!record.vendor) {
    throw new Refusal(
      'An integration of your own needs the code of Askback in the project. Run `npx askback add --vendor` first.',
    )
  }
  const base = readName(call.argument)
  const name = `${base}-api`
  const isThere = existsSync(join(project, 'supabase/functions', name))
  const made = isThere ? undefined : newIntegration(base)
  const integration = made?.integration ?? loadIntegration(project, name)
  const own = [...new Set([...record.own, name])].sort()
  const { functions, vendor } = record
  const { changes } = planInstallation(project, record, { functions, own, vendor, force: false }, new Date())
  const files = Object.entries(made?.files ?? {}).map(([path, text]): Change => ({ path, text }))
  for (const missing of missingWords(integration)) console.log(missing)
  // The record first: if this is interrupted, running it again goes on.
  const all = pending(project, [...changes, ...files, ...catalogueChange(project, integration)])
  if (all.length === 0) {
    console.log(`supabase/functions/${name} is unchanged: nothing to do.`)
    return 0
  }
  console.log(describeChanges(project, all))
  applyChanges(project, all)
  const first = made ? 'It works as it is, with a weather forecast that needs no key. Make it yours:\n' : ''
  console.log(`
${first}\`integration.ts\` says what the model is told, \`actions.ts\` what is done. After changing \`integration.ts\`, run this again:
it writes another migration. A running \`askback dev\` has to be started again.

To bring it to a linked project (all functions have to know it):

  supabase db push
  supabase functions deploy`)
  return 0
}

/** A migration with the rows of the integration, unless the newest one of its says the same. */
function catalogueChange(project: string, integration: Integration): Change[] {
  const text = writeCatalogue([integration], 'project')
  const newest = integrationMigrations(project, integration.name).at(-1)
  if (newest && readProjectFile(project, newest) === text) return []
  return [{ path: newMigrationPath(project, migrationNameOf(integration.name), new Date()), text }]
}

/** `weather` and `weather-api` are the same. */
function readName(word: string): string {
  const base = word.replace(/-api$/, '')
  if (isIntegrationName(base)) return base
  throw new Refusal(`"${word}" is no name for an integration. ${nameRule}, like weather.`)
}
