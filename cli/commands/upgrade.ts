import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { lastStep } from '../add/next-steps.ts'
import type { Call, ExitCode } from '../command/command.ts'
import { compareVersions } from '../package/compare-versions.ts'
import { packageFolder, version } from '../package/package-folder.ts'
import { carryOut } from '../project/carry-out.ts'
import { type Change, describeChanges, pending } from '../project/changes.ts'
import { describeLeft, planUpgrade } from '../project/installation.ts'
import { newestSchema } from '../project/migrations.ts'
import { type ProjectRecord, requireRecord } from '../project/record.ts'

/** `askback upgrade [--check]`: brings what `askback add` has put into the project to the running version. */
export async function run(call: Call): Promise<ExitCode> {
  const project = call.project()
  const record = requireRecord(project)
  const { changes, kept, left } = planUpgrade(project, record, call.isOn('force'))
  const all = pending(project, changes)
  for (const path of left) console.log(describeLeft(path))
  for (const path of kept) console.log(`${path} was changed by hand and stays; --force replaces it.`)
  if (call.isOn('check')) return check(project, record, all)
  if (all.length === 0) {
    console.log(`This project has askback ${version} already: nothing to do.`)
    return 0
  }
  const news = newsSince(record.version)
  if (news) console.log(`${news}\n`)
  const step = record.version === version ? '' : `, from ${record.version} to ${version}`
  if (!(await carryOut(call, project, all, { place: `${project}${step}` }))) return 0
  console.log(`
Done. Bring it to a linked project in this order, since deployed functions keep working with the newer database:

  supabase db push
  supabase functions deploy

${lastStep}`)
  return 0
}

function check(project: string, { version: installed, schema }: ProjectRecord, all: Change[]): ExitCode {
  if (all.length === 0) {
    console.log(`askback ${version}, schema ${schema}: up to date.`)
    return 0
  }
  const finding =
    installed === version && schema === newestSchema()
      ? `This project has askback ${version}, but not all of it`
      : `This project has askback ${installed}, schema ${schema}; this is askback ${version}, schema ${newestSchema()}`
  console.log(`${finding}. \`npx askback upgrade\` will\n${describeChanges(project, all)}`)
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
