import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Refusal } from '../command/refusal.ts'
import { version } from '../package/package-folder.ts'
import { type Change, readProjectFile } from './changes.ts'
import { withAskback } from './config-file.ts'
import { exampleWithAskback } from './env-files.ts'
import { functionFiles } from './function-files.ts'
import { missingMigrations, newestSchema, ownMigrations } from './migrations.ts'
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
}

/**
 * What has to change so that the project is as wanted with the running package; nothing for what is so already.
 *
 * @throws {Refusal} when a function of the project has a name that one of ours should have
 */
export function planInstallation(
  project: string,
  record: ProjectRecord | undefined,
  { functions, own, vendor, force }: Wanted,
  now: Date,
): Installation {
  const slugs = [...Object.values(functions), ...own]
  for (const [name, slug] of Object.entries(functions)) refuseTaken(project, record, name, slug)
  const files = functionFiles(functions, own, vendor)
  const migrations = missingMigrations(project, now)
  const kept = Object.keys(record?.files ?? {}).filter(
    (path) =>
      !force && path !== recordPath && record && isChanged(project, record, path) && !isMigration(path),
  )
  const obsolete = Object.keys(record?.files ?? {}).filter((path) => !(path in files) && !isMigration(path))
  const written = Object.entries(files).map(([path, text]): Change => ({ path, text }))
  const removed = obsolete.map((path): Change => ({ path, text: undefined }))
  const hashes = Object.entries(files).map(([path, text]) => [path, hashOf(text)])
  const pushed = ownMigrations(project).map(({ path }) => [
    path,
    hashOf(readProjectFile(project, path) ?? ''),
  ])
  const added = migrations.map(({ path, text = '' }) => [path, hashOf(text)])
  const next: ProjectRecord = {
    version,
    schema: newestSchema(),
    functions,
    own,
    vendor,
    files: Object.fromEntries([...hashes, ...pushed, ...added]),
  }
  return {
    kept,
    changes: [
      // First, so that what follows is known as ours if this is interrupted.
      { path: recordPath, text: `${JSON.stringify(next, null, 2)}\n` },
      ...[...written, ...removed].filter(({ path }) => !kept.includes(path)),
      ...migrations,
      exampleWithAskback(project),
      {
        path: configPath,
        text: withAskback(readProjectFile(project, configPath) ?? '', slugs),
        about: 'a block for its functions, and "askback" among the exposed schemas',
      },
    ],
  }
}

function isMigration(path: string): boolean {
  return path.startsWith('supabase/migrations/')
}

function refuseTaken(project: string, record: ProjectRecord | undefined, name: string, slug: string): void {
  const index = readProjectFile(project, `supabase/functions/${slug}/index.ts`)
  const isOurs = Object.values(record?.functions ?? {}).includes(slug) || index?.includes("'../_askback/")
  if (isOurs || !existsSync(join(project, 'supabase/functions', slug))) return
  const command = `--name ${name}=${name === 'chat' ? 'assistant' : `askback-${name}`}`
  throw new Refusal(
    `This project has a function named "${slug}". It stays as it is: give ours another name, like ${command}. Nothing was changed.`,
  )
}
