import type { Environment } from '../authentication/project-settings.ts'

/**
 * The path of a function or one of its routes within this project: `/functions/v1/assistant/open` for `chat/open` where
 * `chat` is named `assistant`, because the project has had a function of that name before.
 */
export type FunctionPath = (route: string) => string

/**
 * Reads `ASKBACK_FUNCTIONS`, like `chat=assistant,smtp-api=mail`. Functions that it leaves out have their own names, if
 * they are there at all.
 */
export function readFunctionPath(env: Environment): FunctionPath {
  const names = readNames(env)
  return (route) => `/functions/v1/${route.replace(/^[^/?]+/, (name) => names.get(name) || name)}`
}

/** A row of the catalogue: who put it there, and which function runs it. */
export interface CatalogueRow {
  source: string
  function: string
}

/**
 * Whether the function of a tool or provider is in this project. The catalogue lists every one of Askback, and a project
 * may have chosen some: unless `ASKBACK_FUNCTIONS` lists them, all are there. Tools made of the app's own functions run in
 * one of Askback's, too. A project's own integrations always are there.
 */
export function readInstalled(env: Environment): (row: CatalogueRow) => boolean {
  const names = readNames(env)
  return ({ source, function: name }) => source === 'project' || names.size === 0 || names.has(name)
}

/**
 * Serves a function under the name that it has in this project: its routes are written with our own name in front, and it
 * sees the other one.
 */
export function serveAs(
  name: string,
  env: Environment,
  handle: (request: Request) => Response | Promise<Response>,
): (request: Request) => Response | Promise<Response> {
  const given = `/${readNames(env).get(name) || name}`
  if (given === `/${name}`) return handle
  return (request) => {
    const url = new URL(request.url)
    if (url.pathname === given || url.pathname.startsWith(`${given}/`)) {
      url.pathname = `/${name}${url.pathname.slice(given.length)}`
      // A copy of the request would not know when its connection ends.
      Object.defineProperty(request, 'url', { value: url.href })
    }
    return handle(request)
  }
}

function readNames(env: Environment): Map<string, string> {
  const pairs = (env.ASKBACK_FUNCTIONS ?? '')
    .split(',')
    .filter(Boolean)
    .map((pair) => pair.trim().split('='))
  return new Map(pairs.map(([name = '', given = '']) => [name, given]))
}
