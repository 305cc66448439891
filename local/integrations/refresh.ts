import { join } from 'node:path'
import { refreshCatalogueFile } from './catalogue-file.ts'
import { writeCatalogue } from './catalogue-sql.ts'
import { refreshConfiguration } from './configuration.ts'
import { readIntegrations } from './read-integrations.ts'

/**
 * Updates the catalogue migration and the marked block of `config.toml` from the integrations' folders, and returns the
 * files that were stale. With `check` it writes nothing.
 * @throws {StartError} when an integration cannot be loaded or `config.toml` cannot be updated; then nothing is written
 */
export async function refreshIntegrations(
  supabaseDirectory: string,
  options: { check?: boolean; now?: Date } = {},
): Promise<string[]> {
  const { check = false, now = new Date() } = options
  const integrations = await readIntegrations(join(supabaseDirectory, 'functions'))
  return [
    ...refreshConfiguration(join(supabaseDirectory, 'config.toml'), integrations, check),
    ...refreshCatalogueFile(join(supabaseDirectory, 'migrations'), writeCatalogue(integrations), check, now),
  ]
}
