import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Refusal } from '../command/refusal.ts'
import { compareVersions } from '../package/compare-versions.ts'
import { version } from '../package/package-folder.ts'
import { type Change, readProjectFile } from './changes.ts'
import { withAskback } from './config-file.ts'
import { exampleWithAskback } from './env-files.ts'
import { coreFunctions, exampleSlug, functionFiles, noWords, wordsPath } from './function-files.ts'
import { migrationFiles, newestSchema } from './migrations.ts'
import { hashOf, isChanged, type ProjectRecord, recordPath } from './record.ts'

export const configPath = 'supabase/config.toml'

/** How Askback should be in a project. */
export interface Wanted {
  /** What the functions are called, by their own names. */
  functions: Record<string, string>
  /** The project's own integrations. */
  own: string[]
  vendor: boolean
  /** Files of ours that were changed by hand are replaced, too. */
  force: boolean
}

export interface Installation {
  changes: Change[]
  /** Files of ours that were changed by hand, and stay as they are. */
  kept: string[]
  /** Those of them that nothing needs any more. */
  left: string[]
}

/**
 * What has to change so that the project is as wanted with the running package; nothing for what is so already.
 *
 * @throws {Refusal} when a function of the project has a name that one of ours should have, or the package is too old
 */
export function planInstallation(
  project: string,
  record: ProjectRecord | undefined,
  { functions, own, vendor, force }: Wanted,
  now: Date,
): Installation {
  if (record) refuseOlder(record)
  const slugs = [...Object.values(functions), ...own]
  const twin = slugs.find((slug, index) => slugs.indexOf(slug) !== index)
  if (twin) throw new Refusal(`Two functions would be called "${twin}". Give each its own name.`)
  for (const [name, slug] of Object.entries(functions)) refuseTaken(project, record, name, slug)
  const known = Object.keys(record?.files ?? {})
  const files = { ...functionFiles(functions, own, vendor), ...migrationFiles(project, known, now) }
  const changed = known.filter((path) => !force && record && isChanged(project, record, path))
  const obsolete = known.filter((path) => !(path in files) && !isMigration(path))
  const written = Object.entries(files).map(([path, text]): Change => ({ path, text }))
  const removed = obsolete.map((path): Change => ({ path, text: undefined }))
  const hashes = Object.entries(files).map(([path, text]) => [path, hashOf(text)])
  const next: ProjectRecord = {
    version,
    schema: newestSchema(),
    functions,
    own,
    vendor,
    files: Object.fromEntries(hashes),
  }
  return {
    kept: changed.filter((path) => path in files),
    left: changed.filter((path) => obsolete.includes(path)),
    changes: [
      // First, so that what follows is known as ours if this is interrupted.
      { path: recordPath, text: `${JSON.stringify(next, null, 2)}\n` },
      ...[...written, ...removed].filter(({ path }) => !changed.includes(path)),
      exampleWithAskback(project),
      { path: wordsPath, text: readProjectFile(project, wordsPath) ?? noWords },
      {
        path: configPath,
        text: withAskback(readProjectFile(project, configPath) ?? '', slugs),
        about: 'a block for its functions, and "askback" among the exposed schemas',
      },
    ],
  }
}

/** What has to change so that the project has all of the running package, with what was chosen for it. */
export function planUpgrade(project: string, record: ProjectRecord, force: boolean): Installation {
  const core = Object.fromEntries(coreFunctions().map((name) => [name, name]))
  const { own, vendor } = record
  const wanted = { functions: { ...core, ...record.functions }, own, vendor, force }
  return planInstallation(project, record, wanted, new Date())
}

function isMigration(path: string): boolean {
  return path.startsWith('supabase/migrations/')
}

function refuseOlder({ version: installed, schema }: ProjectRecord): void {
  if (compareVersions(version, installed) >= 0 && newestSchema() >= schema) return
  throw new Refusal(
    `This project has askback ${installed}, and this is the older ${version}. Install askback ${installed} to change it.`,
  )
}

function refuseTaken(project: string, record: ProjectRecord | undefined, name: string, slug: string): void {
  const index = readProjectFile(project, `supabase/functions/${slug}/index.ts`)
  const isOurs = Object.values(record?.functions ?? {}).includes(slug) || index?.includes("'../_askback/")
  if (isOurs || !existsSync(join(project, 'supabase/functions', slug))) return
  const command = `--name ${name}=${exampleSlug(name)}`
  throw new Refusal(
    `This project has a function named "${slug}". It stays as it is: give ours another name, like ${command}. Nothing was changed.`,
  )
}

/** What is said of a file that was changed by hand, and that nothing needs any more. */
export function describeLeft(path: string): string {
  return `${path} was changed by hand and stays, though nothing needs it any more. Delete it if you don't, either.`
}
