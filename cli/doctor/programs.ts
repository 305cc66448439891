import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findProjectDeno } from '../package/local-package.ts'
import { version } from '../package/package-folder.ts'
import { type Finding, note, ok, patienceMs } from './finding.ts'

/** The programs that work on the project. An unsupported Node has been refused before. */
export async function checkPrograms(project: string): Promise<Finding[]> {
  const [cli, deno] = await Promise.all([checkCli(project), checkDeno(project)])
  return [ok(`Node ${process.versions.node}`), ok(`askback ${version}`), cli, deno]
}

async function checkCli(project: string): Promise<Finding> {
  const own = join(project, 'node_modules/.bin/supabase')
  const found = await versionOf(existsSync(own) ? own : 'supabase')
  if (found) return ok(`Supabase CLI ${found}`)
  return note("The Supabase CLI isn't installed. You need it to deploy: npm install --save-dev supabase")
}

async function checkDeno(project: string): Promise<Finding> {
  const deno = findProjectDeno(project)
  const found = await versionOf(deno)
  if (found) return ok(`Deno ${found}${deno === 'deno' ? '' : ', for `askback dev`'}`)
  return note('Deno is not installed here. `askback dev` brings its own with the package askback-local.')
}

async function versionOf(program: string): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)(program, ['--version'], { timeout: patienceMs })
    return /\d+\.\d+\.\d+/.exec(stdout)?.[0]
  } catch {
    return undefined
  }
}
