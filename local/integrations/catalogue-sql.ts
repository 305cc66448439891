import type {
  CatalogueTool,
  Integration,
  IntegrationProvider,
} from '../../shared/integrations/definition/integration.ts'

/**
 * The rows of `integrations` and `tools` as repeatable SQL, which updates existing rows.
 *
 * @param source Whose they are. Rows of the other one are neither changed nor deleted.
 */
export function writeCatalogue(
  integrations: readonly Integration[],
  source: 'askback' | 'project' = 'askback',
): string {
  const providers = integrations.flatMap(({ name, providers }) =>
    providers.map((provider) => ({ name, provider })),
  )
  const tools = integrations.flatMap(({ name, tools }) => tools.map((tool) => ({ name, tool })))
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
        'built_in',
        'position',
      ],
      providers.map(({ name, provider }, position) => providerRow(source, provider, name, position)),
    ),
    `delete from askback.integrations i
where i.source = '${source}'${scope} and not (i.id = any (${texts(providers.map(({ provider }) => provider.id))}))
  and not exists (select 1 from askback.connections c where c.provider = i.id);\n`,
    insert(
      'tools',
      'name',
      ['source', 'function', 'action', 'providers', 'approval', 'position', 'specification'],
      tools.map(({ name, tool }, position) => toolRow(source, tool, name, position)),
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
  functionName: string,
  position: number,
): string {
  const { id, name, description, service, purpose, connection, oauth, builtIn } = provider
  const words = [id, source, name, description, service, purpose, functionName].map(text)
  return row(
    ...words,
    json(connection),
    oauth ? json(oauth) : 'null',
    String(builtIn ?? false),
    String(position + 1),
  )
}

function toolRow(
  source: string,
  { specification, action }: CatalogueTool,
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
