import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What the functions of Askback are called in a project, as `askback add` has noted it; empty where it was not used. */
export function readFunctionNames(directory: string): Record<string, string> {
  const path = join(directory, 'supabase/functions/_askback/askback.json')
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).functions : {}
}
