/**
 * Writes the catalogue of `shared/integrations/catalogue.ts` into `supabase/seed.sql`, below the mark.
 * With `--check` it writes nothing and fails when the file is stale.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { catalogue, providers } from '../shared/integrations/catalogue.ts'
import type { CatalogueTool, IntegrationProvider } from '../shared/integrations/definition/integration.ts'
import { root } from './platform.ts'

const path = join(root, 'supabase/seed.sql')
const mark = '-- Generated from shared/integrations/catalogue.ts by `tsx scripts/seed.ts`. Change it there.\n'

const seed = await readFile(path, 'utf8')
const written = seed.slice(0, seed.indexOf(mark)) + mark + writeCatalogue()
if (!seed.includes(mark)) {
  console.error('supabase/seed.sql has lost the line that marks its generated part.')
  process.exitCode = 1
} else if (!process.argv.includes('--check')) {
  await writeFile(path, written)
} else if (written !== seed) {
  console.error('supabase/seed.sql is older than the catalogue: run `npx tsx scripts/seed.ts`.')
  process.exitCode = 1
}

function writeCatalogue(): string {
  const names = catalogue.map((tool) => text(tool.specification.name)).join(', ')
  return `
insert into askback.integrations (id, name, description, connection, oauth_scopes, position) values
${providers.map(writeProvider).join(',\n')}
on conflict (id) do update set
  name = excluded.name, description = excluded.description, connection = excluded.connection,
  oauth_scopes = excluded.oauth_scopes, position = excluded.position;

insert into askback.tools (name, function, action, providers, approval, position, specification) values
${catalogue.map(writeTool).join(',\n')}
on conflict (user_id, name) do update set
  function = excluded.function, action = excluded.action, providers = excluded.providers,
  approval = excluded.approval, position = excluded.position, specification = excluded.specification;

delete from askback.tools where user_id is null and name not in (${names});
`
}

function writeProvider(provider: IntegrationProvider, position: number): string {
  const { id, name, description, connection, oauthScopes } = provider
  const scopes = oauthScopes ? texts(oauthScopes) : 'null'
  return `  (${[text(id), text(name), text(description), json(connection), scopes, position + 1].join(', ')})`
}

/** A write waits for the user unless the agent's owner says otherwise. */
function writeTool(tool: CatalogueTool, position: number): string {
  const { specification, function: name, action } = tool
  const approval = specification.effect === 'write' ? 'always' : 'never'
  const columns = [
    text(specification.name),
    text(name),
    text(action),
    texts(specification.providers ?? []),
    text(approval),
    position + 1,
    json(specification),
  ]
  return `  (${columns.join(', ')})`
}

function text(value: string): string {
  return `'${value.replaceAll("'", "''")}'`
}

function texts(values: string[]): string {
  return `array[${values.map(text).join(', ')}]::text[]`
}

function json(value: unknown): string {
  return text(JSON.stringify(value))
}
