import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Refusal } from '../command/refusal.ts'
import { readProjectFile } from './changes.ts'
import { unixLines } from './line-ends.ts'

export const recordPath = 'supabase/functions/_askback/askback.json'

/** `askback.json`: what `askback add` has put into a project. */
export interface ProjectRecord {
  /** Of the package that wrote the functions. */
  version: string
  /** The newest migration of ours. */
  schema: number
  /** What the installed functions are called in this project, by their own names. */
  functions: Record<string, string>
  /** Names of the project's own integrations, made by `askback new-integration`. */
  own: string[]
  /** The functions are here as bundles; false: they come from npm. */
  vendor: boolean
  /** SHA-256 of every file that is ours alone, by path. */
  files: Record<string, string>
}

/** Undefined if nothing has been added to the project. */
export function readRecord(project: string): ProjectRecord | undefined {
  const text = readProjectFile(project, recordPath)
  if (text === undefined) return undefined
  try {
    const record: ProjectRecord = JSON.parse(text)
    if (typeof record.version === 'string' && record.functions && record.files) {
      // Its team deletes an integration of its own by deleting its folder.
      const own = record.own.filter((name) => existsSync(join(project, 'supabase/functions', name)))
      return { ...record, own }
    }
  } catch {}
  throw new Refusal(`${recordPath} cannot be read. Take it from your version control again.`)
}

/** For commands that need one. */
export function requireRecord(project: string): ProjectRecord {
  const record = readRecord(project)
  if (record) return record
  throw new Refusal(`Askback has not been added to ${project}. Run \`npx askback add\` first.`)
}

/** Of a text, however its lines end: git may change that. */
export function hashOf(text: string): string {
  return createHash('sha256').update(unixLines(text)).digest('hex')
}

/** Whether a file of ours was changed by hand. A file that is gone was not. */
export function isChanged(project: string, record: ProjectRecord, path: string): boolean {
  const text = readProjectFile(project, path)
  return text !== undefined && hashOf(text) !== record.files[path]
}
