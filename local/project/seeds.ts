import { existsSync, readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { ProjectConfig } from '../settings/project-config.ts'

/** The seed files of a project, in the order of `db.seed.sql_paths`; `*` stands for anything in a file's name. */
export function findSeeds(supabaseDirectory: string, { db: { seed } }: ProjectConfig): string[] {
  if (!seed.enabled) return []
  return seed.sql_paths.flatMap((pattern) => {
    const folder = join(supabaseDirectory, dirname(pattern))
    const name = basename(pattern)
    const expression = new RegExp(`^${name.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`)
    if (!existsSync(folder)) return []
    return readdirSync(folder)
      .filter((file) => expression.test(file))
      .sort()
      .map((file) => join(folder, file))
  })
}
