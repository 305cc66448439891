import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { lineDiff } from './line-diff.ts'
import { unixLines } from './line-ends.ts'

const ownFolder = 'supabase/functions/_askback/'
/** Where each file is written before it takes its place. */
const draftPath = 'supabase/.askback-draft'

/** What becomes of one file of a project. */
export interface Change {
  /** Relative to the project, with slashes. */
  path: string
  /** Undefined: the file is removed. */
  text: string | undefined
  /** What changes in it, for people; for files that are not ours alone. */
  about?: string
  /** Only its owner may read it. */
  isPrivate?: true
}

/** The text of a file of the project; undefined if there is none. */
export function readProjectFile(project: string, path: string): string | undefined {
  const full = join(project, path)
  return existsSync(full) ? readFileSync(full, 'utf8') : undefined
}

/** Those that differ from what is there, but not those whose lines only end otherwise: git may change that. */
export function pending(project: string, changes: readonly Change[]): Change[] {
  return changes.filter(({ path, text }) => unixLines(readProjectFile(project, path)) !== unixLines(text))
}

/** What will be done, one line for each file, and one for all files of `_askback`. */
export function describeChanges(project: string, changes: readonly Change[]): string {
  const verbs = new Map<string, string>()
  for (const { path, text, about } of changes) {
    const isOwn = path.startsWith(ownFolder)
    const isThere = existsSync(join(project, isOwn ? ownFolder : path))
    const verb = text === undefined ? 'remove' : isThere ? 'change' : 'add'
    const place = isOwn ? ownFolder : `${path}${about ? ` (${about})` : ''}`
    const known = verbs.get(place) ?? verb
    verbs.set(place, known === verb ? verb : 'change')
  }
  return [...verbs].map(([place, verb]) => `  ${verb.padEnd(7)} ${place}`).join('\n')
}

/** The lines that change in files which are not ours alone; never of one that holds secrets. */
export function describeLines(project: string, changes: readonly Change[]): string {
  return changes
    .filter(({ about, isPrivate }) => about !== undefined && !isPrivate)
    .map(({ path, text = '' }) => {
      const lines = lineDiff(readProjectFile(project, path) ?? '', text)
      return `\n${path}\n${lines.map((line) => `  ${line}`).join('\n')}`
    })
    .join('\n')
}

/**
 * Carries them out in their order, each file at once or not at all, and removes folders that become empty. It may be
 * killed at any point: running the command again goes on.
 */
export function applyChanges(project: string, changes: readonly Change[]): void {
  const draft = join(project, draftPath)
  // One that was left by a command that was killed.
  rmSync(draft, { force: true })
  for (const { path, text, isPrivate } of changes) {
    const full = join(project, path)
    if (text === undefined) {
      rmSync(full, { force: true })
      removeEmptyFolders(dirname(full), project)
      continue
    }
    mkdirSync(dirname(full), { recursive: true })
    writeFileSync(draft, text, isPrivate ? { mode: 0o600 } : {})
    renameSync(draft, full)
  }
}

function removeEmptyFolders(folder: string, project: string): void {
  for (let one = folder; one.startsWith(join(project, 'supabase/')); one = dirname(one)) {
    if (!existsSync(one) || readdirSync(one).length > 0) return
    rmdirSync(one)
  }
}
