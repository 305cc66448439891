import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Call, ExitCode } from '../command/command.ts'
import { confirm } from '../command/confirm.ts'
import { Refusal } from '../command/refusal.ts'
import { packageFolder, version } from '../package/package-folder.ts'
import { applyChanges, describeChanges, pending } from '../project/changes.ts'
import { coreFunctions } from '../project/function-files.ts'
import { planInstallation } from '../project/installation.ts'
import { newestSchema } from '../project/migrations.ts'
import { requireRecord } from '../project/record.ts'

/** `askback upgrade [--check]`: brings what `askback add` has put into the project to the running version. */
export async function run(call: Call): Promise<ExitCode> {
  const project = call.project()
  const record = requireRecord(project)
  if (compareVersions(version, record.version) < 0 || newestSchema() < record.schema) {
    throw new Refusal(
      `This project has askback ${record.version}, and this is the older ${version}. Run \`npx askback@${record.version} upgrade\`.`,
    )
  }
  if (call.isOn('check')) return check(record.version, record.schema)
  const core = coreFunctions().map((name): [string, string] => [name, name])
  const { changes, kept } = planInstallation(
    project,
    record,
    {
      functions: { ...Object.fromEntries(core), ...record.functions },
      own: record.own,
      vendor: record.vendor,
      force: call.isOn('force'),
    },
    new Date(),
  )
  for (const path of kept) console.log(`${path} was changed by hand and stays; --force replaces it.`)
  const all = pending(project, changes)
  if (all.length === 0) {
    console.log(`This project has askback ${version} already: nothing to do.`)
    return 0
  }
  const news = newsSince(record.version)
  if (news) console.log(`${news}\n`)
  console.log(`In ${project}, from ${record.version} to ${version}:\n${describeChanges(project, all)}`)
  if (call.isOn('dry-run')) return 0
  if (!call.isOn('yes')) await confirm('Go on?')
  applyChanges(project, all)
  console.log(`
Done. Bring it to a linked project in this order, since deployed functions keep working with the newer database:

  supabase db push
  supabase functions deploy`)
  return 0
}

function check(installed: string, schema: number): ExitCode {
  if (installed === version && schema === newestSchema()) {
    console.log(`askback ${version}, schema ${schema}: up to date.`)
    return 0
  }
  console.log(
    `This project has askback ${installed}, schema ${schema}; this is askback ${version}, schema ${newestSchema()}. Run \`npx askback upgrade\`.`,
  )
  return 1
}

/** What the changelog says of every version after this one. */
function newsSince(installed: string): string {
  const sections = readFileSync(join(packageFolder, 'CHANGELOG.md'), 'utf8').split(/^(?=## )/m)
  const newer = sections.filter((section) => {
    const found = /^## v?(\d+\.\d+\.\d+\S*)/.exec(section)?.[1]
    return found !== undefined && compareVersions(found, installed) > 0
  })
  return newer.map((section) => section.trim()).join('\n\n')
}

/** Below 0 if `a` is older than `b`. */
function compareVersions(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true })
}
