import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Integration } from '../../shared/integrations/definition/integration.ts'
import { StartError } from '../start-error.ts'
import { writeCatalogue } from './catalogue-sql.ts'
import { readIntegrations } from './read-integrations.ts'

/** The catalogue migrations, one for each state that was committed: `supabase db push` applies what is new. */
const catalogueFile = /^\d{14}_catalogue\.sql$/
const blockStart = '# Integrations, written by `npx tsx scripts/integrations.ts`: change nothing below.\n'
const blockEnd = '# End of the integrations.\n'

/**
 * Brings the catalogue migration and the marked block of `config.toml` up to date with the integrations' folders;
 * returns the files that were stale. With `check` it writes nothing.
 * @throws {StartError} when an integration cannot be read, or `config.toml` has lost its marks
 */
export async function refreshIntegrations(
  supabaseDirectory: string,
  options: { check?: boolean; now?: Date } = {},
): Promise<string[]> {
  const integrations = await readIntegrations(join(supabaseDirectory, 'functions'))
  const { check = false, now = new Date() } = options
  return [
    ...refreshCatalogue(join(supabaseDirectory, 'migrations'), writeCatalogue(integrations), check, now),
    ...refreshConfiguration(join(supabaseDirectory, 'config.toml'), integrations, check),
  ]
}

/** A new file beside the one that was committed, because a migration that was pushed is never read again. */
function refreshCatalogue(directory: string, text: string, check: boolean, now: Date): string[] {
  const newest = readdirSync(directory)
    .filter((name) => catalogueFile.test(name))
    .sort()
    .at(-1)
  if (newest !== undefined && readFileSync(join(directory, newest), 'utf8') === text) return []
  if (!check) {
    if (newest !== undefined && !isCommitted(directory, newest)) rmSync(join(directory, newest))
    const version = now.toISOString().replace(/\D/g, '').slice(0, 14)
    writeFileSync(join(directory, `${version}_catalogue.sql`), text)
  }
  return ['supabase/migrations/*_catalogue.sql']
}

function isCommitted(directory: string, name: string): boolean {
  try {
    execFileSync('git', ['cat-file', '-e', `HEAD:./${name}`], { cwd: directory, stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

function refreshConfiguration(path: string, integrations: readonly Integration[], check: boolean): string[] {
  const text = readFileSync(path, 'utf8')
  const start = text.indexOf(blockStart)
  const end = text.indexOf(blockEnd)
  if (start === -1 || end < start) {
    throw new StartError(
      `supabase/config.toml has lost the lines that mark the integrations. Put these two back: ${blockStart.trim()} ${blockEnd.trim()}`,
    )
  }
  const block = integrations.map(({ name }) => `[functions.${name}]\nverify_jwt = false\n`).join('\n')
  const written = `${text.slice(0, start)}${blockStart}${block}${text.slice(end)}`
  if (written === text) return []
  if (!check) writeFileSync(path, written)
  return ['supabase/config.toml']
}
