import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { Refusal } from '../command/refusal.ts'

/**
 * The folder that holds `supabase/config.toml`: `workdir` itself if given, else the nearest one at or above the current
 * folder.
 * @throws {Refusal} when there is none
 */
export function findProject(workdir: string | undefined): string {
  if (workdir !== undefined) {
    const folder = resolve(workdir)
    if (isProject(folder)) return folder
    throw new Refusal(`${folder} has no supabase/config.toml. Run \`supabase init\` there first.`)
  }
  for (let folder = process.cwd(); ; folder = dirname(folder)) {
    if (isProject(folder)) return folder
    if (folder === dirname(folder)) break
  }
  throw new Refusal(
    'There is no supabase/config.toml here or above. Go to your Supabase project, name it with --workdir, or run `supabase init` first.',
  )
}

function isProject(folder: string): boolean {
  return existsSync(join(folder, 'supabase', 'config.toml'))
}
