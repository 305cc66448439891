/**
 * Checks that the migrations of the newest tag are what they were, here and in the package, and compares a new database
 * with one that was upgraded from it: the migrations of the tag, then those that are new since.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { supabaseDirectory } from '../support/database.ts'
import { compareUpgrade, findChangedMigrations } from './compare-upgrade.ts'
import { root } from './platform.ts'

const tag = git('tag', '--list', 'v*', '--sort=-version:refname').split('\n')[0]
if (!tag) {
  console.log('There is no tag v* yet, so there is nothing to upgrade from.')
} else {
  const released = mkdtempSync(join(tmpdir(), 'askback-released-'))
  try {
    readMigrations(tag, join(released, 'migrations'))
    const changed = findChangedMigrations(released, supabaseDirectory)
    const differences = changed.length > 0 ? changed : await compareUpgrade(released, supabaseDirectory)
    for (const difference of differences) console.error(difference)
    if (differences.length > 0) {
      console.error(`A database of ${tag} does not become what a new one is: see docs/upgrading.md.`)
      process.exitCode = 1
    }
  } finally {
    rmSync(released, { recursive: true, force: true })
  }
}

function readMigrations(tag: string, directory: string): void {
  mkdirSync(directory)
  const paths = git('ls-tree', '--name-only', tag, 'supabase/migrations/').split('\n').filter(Boolean)
  for (const path of paths) writeFileSync(join(directory, basename(path)), git('show', `${tag}:${path}`))
}

function git(...words: string[]): string {
  return execFileSync('git', words, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 28 })
}
