import type { ToolError, ToolResult } from '../../engine/core/tool-error.ts'
import { withoutTrailingSlash } from '../../engine/core/without-trailing-slash.ts'
import type { Environment } from '../authentication/project-settings.ts'

/** The URLs of the app with our pages: where people may be sent back to, where links lead, and who may call from a browser. */
export interface AppUrls {
  origins: ReadonlySet<string>
  /** The first one, without a trailing slash: the base of every link. Undefined if the operator set none. */
  base: string | undefined
  /** Origins whose pages may call functions; `*` is any. */
  callers: '*' | readonly string[]
}

/** If the operator set none. */
export const noApp: AppUrls = { origins: new Set(), base: undefined, callers: '*' }

/**
 * Reads `ASKBACK_APP_URLS` and `ASKBACK_CORS_ORIGINS` (comma separated; by default the origins of the former, or any).
 * Throws a plain Error for an entry that is not an http(s) URL.
 */
export function readAppUrls(env: Environment): AppUrls {
  const urls = readUrls(env, 'ASKBACK_APP_URLS')
  const origins = new Set(urls.map(({ origin }) => origin))
  return {
    origins,
    base: urls[0] && withoutTrailingSlash(`${urls[0].origin}${urls[0].pathname}`),
    callers: readCallers(env, origins),
  }
}

function readCallers(env: Environment, appOrigins: ReadonlySet<string>): AppUrls['callers'] {
  if (env.ASKBACK_CORS_ORIGINS?.trim() === '*') return '*'
  const named = readUrls(env, 'ASKBACK_CORS_ORIGINS').map(({ origin }) => origin)
  const callers = named.length > 0 ? named : [...appOrigins]
  return callers.length > 0 ? callers : '*'
}

function readUrls(env: Environment, name: 'ASKBACK_APP_URLS' | 'ASKBACK_CORS_ORIGINS'): URL[] {
  const entries = (env[name] ?? '').split(',').map((entry) => entry.trim())
  return entries.filter(Boolean).map((entry) => {
    if (!/^https?:\/\//i.test(entry) || !URL.canParse(entry)) {
      throw new Error(`${name} contains "${entry}", which is not an address like https://app.example.com.`)
    }
    return new URL(entry)
  })
}

/** Completes the result's link to our settings; without an app there is no page, so no link either. */
export function withAppLink<Result extends ToolResult | ToolError>(
  result: Result,
  { base }: AppUrls,
): Result {
  if (result.ok || !result.details.action?.href.startsWith('/')) return result
  const { action, ...details } = result.details
  const link = base === undefined ? {} : { action: { ...action, href: `${base}${action.href}` } }
  return { ...result, details: { ...details, ...link } }
}
