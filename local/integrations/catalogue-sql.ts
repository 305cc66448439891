import type {
  CatalogueTool,
  Integration,
  IntegrationProvider,
} from '../../shared/integrations/definition/integration.ts'
import { completeWords } from './integration-words.ts'

/**
 * The rows of `integrations` and `tools` as repeatable SQL, which updates existing rows.
 *
 * @param source Whose they are. Rows of the other one are neither changed nor deleted.
 */
export function writeCatalogue(
  integrations: readonly Integration[],
  source: 'askback' | 'project' = 'askback',
): string {
  const providers = integrations.flatMap((integration) => {
    const words = completeWords(integration)
    return integration.providers.map((provider) => ({
      name: integration.name,
      provider,
      words: words.providers[provider.id] ?? {},
    }))
  })
  const tools = integrations.flatMap((integration) => {
    const words = completeWords(integration)
    return integration.tools.map((tool) => ({
      name: integration.name,
      tool,
      words: words.tools[tool.specification.name] ?? {},
    }))
  })
  // A project adds its integrations one at a time.
  const scope =
    source === 'project' ? ` and function = any (${texts(integrations.map(({ name }) => name))})` : ''
  return [
    source === 'askback'
      ? '-- The catalog: made from supabase/functions/*/integration.ts by `npx tsx scripts/integrations.ts`. Change it there.\n'
      : '-- What agents are told: made from integration.ts by `npx askback new-integration`. Change it there, and run that again.\n',
    insert(
      'integrations',
      'id',
      [
        'source',
        'name',
        'description',
        'service',
        'purpose',
        'function',
        'connection',
        'oauth',
        'words',
        'built_in',
        'position',
      ],
      providers.map(({ name, provider, words }, position) =>
        providerRow(source, provider, words, name, position),
      ),
    ),
    `delete from askback.integrations i
where i.source = '${source}'${scope} and not (i.id = any (${texts(providers.map(({ provider }) => provider.id))}))
  and not exists (select 1 from askback.connections c where c.provider = i.id);\n`,
    insert(
      'tools',
      'name',
      ['source', 'function', 'action', 'providers', 'approval', 'position', 'specification', 'words'],
      tools.map(({ name, tool, words }, position) => toolRow(source, tool, words, name, position)),
    ),
    `delete from askback.tools
where source = '${source}'${scope} and not (name = any (${texts(tools.map(({ tool }) => tool.specification.name))}));\n`,
  ].join('\n')
}

function insert(table: string, key: string, columns: string[], rows: string[]): string {
  if (rows.length === 0) return ''
  return `insert into askback.${table} (${[key, ...columns].join(', ')}) values
${rows.join(',\n')}
on conflict (${key}) do update set
${columns.map((column) => `  ${column} = excluded.${column}`).join(',\n')}
where ${table}.source = excluded.source;
`
}

function providerRow(
  source: string,
  provider: IntegrationProvider,
  said: object,
  functionName: string,
  position: number,
): string {
  const { id, name, description, service, purpose, connection, oauth, builtIn } = provider
  const words = [id, source, name, description, service, purpose, functionName].map(text)
  return row(
    ...words,
    json(connection),
    oauth ? json(oauth) : 'null',
    json(said),
    String(builtIn ?? false),
    String(position + 1),
  )
}

function toolRow(
  source: string,
  { specification, action }: CatalogueTool,
  said: object,
  functionName: string,
  position: number,
): string {
  const { name, providers = [] } = specification
  const words = [name, source, functionName, action].map(text)
  return row(
    ...words,
    texts(providers),
    text(ruleOf(specification)),
    String(position + 1),
    json(specification),
    json(said),
  )
}

/** A write whose author says nothing asks: nobody has thought about what it may do unasked. */
function ruleOf({ approval, effect }: CatalogueTool['specification']): 'always' | 'sometimes' | 'never' {
  if (approval === undefined) return effect === 'write' ? 'always' : 'never'
  return typeof approval === 'string' ? approval : 'sometimes'
}

function row(...values: string[]): string {
  return `  (${values.join(', ')})`
}

function text(value: string): string {
  return `'${value.replaceAll("'", "''")}'`
}

function texts(values: readonly string[]): string {
  return `array[${values.map(text).join(', ')}]::text[]`
}

function json(value: unknown): string {
  return text(JSON.stringify(value))
}
