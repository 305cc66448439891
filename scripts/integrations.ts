/**
 * Writes the catalogue migration and the marked block of `supabase/config.toml` from the folders of
 * `supabase/functions` that have an `integration.ts`. With `--check` it writes nothing and fails if one is stale.
 */
import { join } from 'node:path'
import { missingWords } from '../local/integrations/integration-words.ts'
import { readIntegrations } from '../local/integrations/read-integrations.ts'
import { refreshIntegrations } from '../local/integrations/refresh.ts'
import { StartError } from '../local/process/start-error.ts'
import { root } from './platform.ts'

const check = process.argv.includes('--check')
try {
  const stale = await refreshIntegrations(join(root, 'supabase'), { check })
  for (const file of stale) {
    console.log(
      check ? `${file} is older than the integrations: run \`npx tsx scripts/integrations.ts\`.` : file,
    )
  }
  for (const integration of await readIntegrations(join(root, 'supabase/functions'))) {
    for (const missing of missingWords(integration)) console.log(`${integration.name}: ${missing}`)
  }
  process.exitCode = check && stale.length > 0 ? 1 : 0
} catch (error) {
  if (!(error instanceof StartError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
