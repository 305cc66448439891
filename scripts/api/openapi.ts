import type { z } from 'zod'
import { linkHeader } from '../../shared/api/item-link.ts'
import { messageData } from '../../shared/api/message-data.ts'
import { refusal } from '../../shared/api/refusal.ts'
import { type RefusalCode, statuses, refusals as words } from '../../shared/api/refusals.ts'
import type { Route } from '../../shared/api/route.ts'
import { refusalsOf, routes } from '../../shared/api/routes.ts'
import { exampleOf } from './examples.ts'
import { componentsAt, createJsonSchemas, type Schema } from './json-schemas.ts'

const schemas = createJsonSchemas()

/** Every route as OpenAPI 3.1 describes it. */
export function makeOpenApi(version: string) {
  schemas.of(refusal(), 'output')
  schemas.of(messageData(), 'output')
  const paths: Record<string, Record<string, unknown>> = {}
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: describe(route) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Askback', version, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [
      {
        url: '{project}/functions/v1',
        variables: { project: { default: 'http://127.0.0.1:54321', description: 'The URL of the project.' } },
      },
    ],
    tags: [...new Set(routes.map(({ group }) => group))].map((name) => ({ name })),
    paths,
    components: {
      schemas: Object.fromEntries(Object.entries(schemas.components).sort(([a], [b]) => (a < b ? -1 : 1))),
      securitySchemes: {
        user: { type: 'http', scheme: 'bearer', description: 'The access token of a signed-in user.' },
        clock: { type: 'http', scheme: 'bearer', description: 'The function secret of the project.' },
        link: {
          type: 'apiKey',
          in: 'header',
          name: linkHeader,
          description: 'The token of a link to an open item.',
        },
      },
    },
  }
}

/** Codes with their status, grouped by it. */
export function byStatus(route: Route): [status: string, codes: RefusalCode[]][] {
  const groups = new Map<string, RefusalCode[]>()
  for (const code of refusalsOf(route))
    for (const status of statuses[code])
      groups.set(String(status), [...(groups.get(String(status)) ?? []), code])
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1))
}

/** By who may call a route; none needs nothing. */
const security: Partial<Record<Route['caller'], Record<string, string[]>[]>> = {
  clock: [{ clock: [] }],
  user: [{ user: [] }],
  operator: [{ user: [] }],
  'item-link': [{ link: [] }, { link: [], user: [] }],
}

function describe(route: Route) {
  const { summary, notes, group, body, upload, isBodyOptional, caller } = route
  const { body: given } = exampleOf(route)
  const example = given === undefined ? {} : { example: given }
  return {
    operationId: operationId(route),
    summary,
    description: notes || undefined,
    tags: [group],
    security: security[caller] ?? [],
    parameters: [...parameters(route, 'path'), ...parameters(route, 'query')],
    requestBody: body && {
      required: !isBodyOptional,
      content: { 'application/json': { schema: schemas.of(body, 'input'), ...example } },
    },
    ...(upload ? { requestBody: { required: true, content: asBytes(upload) } } : {}),
    responses: responses(route),
  }
}

function asBytes(media: Readonly<Record<string, string>>) {
  const types = Object.keys(media).map((type) => [type, { schema: { type: 'string' } satisfies Schema }])
  return Object.fromEntries(types)
}

function operationId({ method, path }: Route): string {
  return [method.toLowerCase(), ...path.split(/[/:]+/).filter(Boolean)].join('-')
}

function parameters({ params, query, path }: Route, place: 'path' | 'query') {
  const schema: z.ZodType | undefined = place === 'path' ? params : query
  if (!schema) return []
  const { properties = {}, required = [] } = schemas.of(schema, 'input')
  return Object.entries(properties)
    .filter(([name]) => place === 'query' || path.includes(`:${name}`))
    .map(([name, { description, ...rest }]) => ({
      name,
      in: place,
      required: place === 'path' || required.includes(name),
      description: description || undefined,
      schema: rest,
    }))
}

function responses(route: Route) {
  const { answer, media = {}, status = 200, orEmpty } = route
  const { answer: shown } = exampleOf(route)
  const json = answer && {
    'application/json': {
      schema: schemas.of(answer(), 'output'),
      example: shown,
    },
  }
  const content = { ...json, ...asBytes(media) }
  const refused = byStatus(route).map(([code, codes]) => [
    code,
    {
      description: codes.map((one) => `\`${one}\`: ${words[one]}`).join('\n'),
      content: { 'application/json': { schema: { $ref: `${componentsAt}Refusal` } } },
    },
  ])
  return {
    [status]: {
      description: Object.values(media)[0] ?? route.summary,
      content: Object.keys(content).length > 0 ? content : undefined,
    },
    ...(orEmpty ? { 204: { description: orEmpty } } : {}),
    ...Object.fromEntries(refused),
  }
}
