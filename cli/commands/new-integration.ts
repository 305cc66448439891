import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { isUncommitted } from '../../local/integrations/catalogue-file.ts'
import { writeCatalogue } from '../../local/integrations/catalogue-sql.ts'
import { missingWords } from '../../local/integrations/integration-words.ts'
import { isIntegrationName, nameRule } from '../../local/integrations/template-name.ts'
import type { Integration } from '../../shared/integrations/definition/integration.ts'
import type { Call, ExitCode } from '../command/command.ts'
import { Refusal } from '../command/refusal.ts'
import { applyChanges, type Change, describeChanges, pending, readProjectFile } from '../project/changes.ts'
import { planInstallation } from '../project/installation.ts'
import { integrationMigrations, migrationNameOf, newMigrationPath } from '../project/migrations.ts'
import { newIntegration, readOwnIntegration } from '../project/own-integrations.ts'
import { type ProjectRecord, requireRecord } from '../project/record.ts'

/**
 * `askback new-integration NAME`: a working integration of the project's own, as a function with its test. For one that is
 * there already, the migration with what its `integration.ts` says now: until then `askback dev` alone knows it.
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
  const written = isThere ? writeMigration(project, name) : newFiles(base)
  // The record first: if this is interrupted, running it again goes on.
  const all = pending(project, [...withOwn(project, record, name), ...written])
  if (all.length === 0) {
    console.log(`supabase/functions/${name} is unchanged: nothing to do.`)
    return 0
  }
  console.log(describeChanges(project, all))
  applyChanges(project, all)
  console.log(isThere ? deployment : firstSteps(base))
  return 0
}

const deployment = `
To bring it to a linked project (all functions have to know it):

  supabase db push
  supabase functions deploy`

function firstSteps(base: string): string {
  return `
It works as it is, with a list of tasks that its test stands in for:

  npx askback test

Make it yours: \`integration.ts\` says what the model is told, \`actions.ts\` what is done. \`askback dev\`, started again, has
its tools, and follows every change. When it is ready for a linked project, write its migration:

  npx askback new-integration ${base}
  supabase db push
  supabase functions deploy`
}

/** That the functions of the project know it. */
function withOwn(project: string, record: ProjectRecord, name: string): Change[] {
  const { functions, vendor } = record
  const own = [...new Set([...record.own, name])].sort()
  return planInstallation(project, record, { functions, own, vendor, force: false }, new Date()).changes
}

function newFiles(base: string): Change[] {
  return Object.entries(newIntegration(base)).map(([path, text]) => ({ path, text }))
}

/**
 * A migration with the rows of the integration, unless the newest one of its says the same. One that is not committed was
 * not pushed either: it is replaced, under a new number, since a local database may have the old one.
 */
function writeMigration(project: string, name: string): Change[] {
  const integration: Integration = readOwnIntegration(project, name)
  for (const missing of missingWords(integration)) console.log(missing)
  const text = writeCatalogue([integration], 'project')
  const newest = integrationMigrations(project, name).at(-1)
  if (newest && readProjectFile(project, newest) === text) return []
  const path = newMigrationPath(project, migrationNameOf(name), new Date())
  const isReplaced = newest && isUncommitted(join(project, dirname(newest)), basename(newest))
  return [{ path, text }, ...(isReplaced ? [{ path: newest, text: undefined }] : [])]
}

/** `tasks` and `tasks-api` are the same. */
function readName(word: string): string {
  const base = word.replace(/-api$/, '')
  if (isIntegrationName(base)) return base
  throw new Refusal(`"${word}" is no name for an integration. ${nameRule}, like tasks.`)
}
