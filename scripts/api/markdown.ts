import { messageData } from '../../shared/api/message-data.ts'
import type { Route } from '../../shared/api/route.ts'
import { routes } from '../../shared/api/routes.ts'
import { exampleOf } from './examples.ts'
import { createJsonSchemas, nameOf, type Schema } from './json-schemas.ts'
import { byStatus } from './openapi.ts'

const schemas = createJsonSchemas()
schemas.of(messageData(), 'output')

const callers: Record<Route['caller'], string> = {
  user: 'With the access token of a signed-in user.',
  operator: 'With the access token of an operator.',
  token: 'With an API token of the user, or the access token of a signed-in user.',
  clock: 'With the function secret of the project.',
  link: 'Without a token: the signed URL grants access.',
  'item-link': 'With the token of a link to an open item, as `x-askback-link`.',
  anybody: 'Without a token.',
}

const introduction = `# HTTP API

This page and [\`openapi.json\`](openapi.json) are generated from the schemas in [\`shared/api\`](../shared/api) by \`npx tsx scripts/api.ts\`. A test runs every example.

Paths are relative to \`{project}/functions/v1\`. Send tokens as \`Authorization: Bearer …\`. Members of a body that are not listed are ignored. Null means the same as leaving an optional member out, unless stated otherwise; \`PATCH\` bodies may reject it. Times are ISO 8601. Values of calls and of outputs keep the digits of their numbers: a number that a double would change, such as an id of 64 bits, is a text of its digits, and is accepted as a number or as a text.

A refused request returns an error status and \`{ "error": { "code", "message" } }\`. AI SDK clients get only the message, as text, and the code in the header \`x-askback-error\`. [Codes](sentences.md#refused-requests) says what each code means. OpenAI's protocol, under \`/chat/v1\`, is described in [OpenAI clients](openai-clients.md).

People read in their language wherever they read: answers, messages, streams, lists, and why a request is refused. The header \`x-askback-language\` names it, such as \`de\` or \`de-AT\`; a request that names none is answered in the language that a client of the account has named last when it began a run, else in the first of the browser's \`Accept-Language\` that there is, else in English. Servers send \`*\`, which names none. Times are on the clock of \`x-askback-timezone\`, else of the account. The codes and the values beside the sentences are the same in every language.
`

/** The page of the API. */
export function makePage(): string {
  const groups = [...new Set(routes.map(({ group }) => group))]
  const sections = groups.map((group) => {
    const own = routes.filter((route) => route.group === group)
    return [`## ${group}`, ...own.map(describe)].join('\n\n')
  })
  const types = Object.entries(schemas.components)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, schema]) => [`### ${name}`, schema.description, table(schema)].filter(Boolean).join('\n\n'))
  return `${[introduction.trimEnd(), ...sections, '## Types', ...types].join('\n\n')}\n`
}

function describe(route: Route): string {
  const {
    method,
    path,
    summary,
    notes,
    caller,
    query,
    body,
    upload = {},
    answer,
    media = {},
    status = 200,
    orEmpty,
  } = route
  const answered = answer ? show(schemas.of(answer(), 'output')) : undefined
  const others = listMedia(media)
  return [
    `### ${summary}`,
    `\`${method} ${path}\` · ${callers[caller]}`,
    notes,
    query && `Query:\n\n${table(schemas.of(query, 'input'))}`,
    body && part('Body', schemas.of(body, 'input')),
    ...listMedia(upload).map((line) => `Body: ${line}`),
    `**${status}**${answered ? `: ${answered.inline}` : ''}${others.length > 0 ? ` ${others.join(' ')}` : ''}`,
    answered?.table,
    orEmpty && `**204**: ${orEmpty}`,
    ...byStatus(route).map(([code, codes]) => `**${code}**: ${codes.map((one) => `\`${one}\``).join(', ')}`),
    write(route),
  ]
    .filter(Boolean)
    .join('\n\n')
}

function listMedia(media: Readonly<Record<string, string>>): string[] {
  return Object.entries(media).map(([type, what]) => `\`${type}\`: ${what}`)
}

function part(title: string, schema: Schema): string {
  const { inline, table: rows } = show(schema)
  return rows ? `${title}:\n\n${rows}` : `${title}: ${inline}`
}

/** A schema with a name is linked, any other one shown. */
function show(schema: Schema): { inline: string; table?: string } {
  const isShown = nameOf(schema) === undefined && schema.properties !== undefined
  return isShown ? { inline: '', table: table(schema) } : { inline: typeOf(schema) }
}

function table({ properties, required = [], ...schema }: Schema): string {
  if (!properties) return typeOf(schema)
  const rows = Object.entries(properties).map(([name, one]) => {
    const mark = required.includes(name) ? '' : '?'
    return `| \`${name}${mark}\` | ${typeOf(one)} | ${(one.description ?? '').replaceAll('|', '\\|')} |`
  })
  return ['| member | type | |', '|---|---|---|', ...rows].join('\n')
}

function typeOf(schema: Schema): string {
  const name = nameOf(schema)
  if (name) return `[${name}](#${name.toLowerCase()})`
  const { type, anyOf, oneOf, items, prefixItems, properties } = schema
  if (schema['x-json-schema']) return 'JSON Schema'
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``
  if (schema.enum) return schema.enum.map((one) => `\`${JSON.stringify(one)}\``).join(', ')
  const choices = anyOf ?? oneOf
  if (choices) return choices.map(typeOf).join(' or ')
  if (Array.isArray(type)) return type.join(' or ')
  if (prefixItems) return `[${prefixItems.map(typeOf).join(', ')}]`
  if (type === 'array') return `list of ${typeOf(items ?? {})}`
  if (properties) {
    const members = Object.entries(properties).map(([key, one]) => `${key}: ${typeOf(one)}`)
    return `{ ${members.join(', ')} }`
  }
  return String(type ?? 'anything')
}

function write(route: Route): string {
  const { params = {}, query = {}, headers = {}, body, answer } = exampleOf(route)
  const path = route.path.replace(/:(\w+)/g, (_, name) => params[name] ?? `:${name}`)
  const search = new URLSearchParams(query).toString()
  const lines = [`${route.method} ${path}${search ? `?${search}` : ''}`]
  lines.push(...Object.entries(headers).map(([name, value]) => `${name}: ${value}`))
  if (body !== undefined) lines.push(JSON.stringify(body, null, 2))
  if (answer !== undefined) lines.push('', `${route.status ?? 200}`, JSON.stringify(answer, null, 2))
  return `\`\`\`\n${lines.join('\n')}\n\`\`\``
}
