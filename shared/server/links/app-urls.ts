import type { ToolError, ToolResult } from '../../engine/core/tool-error.ts'
import { withoutTrailingSlash } from '../../engine/core/without-trailing-slash.ts'
import type { Environment } from '../authentication/project-settings.ts'

/** The URLs of the app with our pages: where people may be sent back to, and where links lead. */
export interface AppUrls {
  origins: ReadonlySet<string>
  /** The first one, without a trailing slash: the base of every link. Undefined if the operator set none. */
  base: string | undefined
}

/** If the operator set none. */
export const noApp: AppUrls = { origins: new Set(), base: undefined }

/** Reads `ASKBACK_APP_URLS` (comma separated). Throws a plain Error for an entry that is not an http(s) URL. */
export function readAppUrls(env: Environment): AppUrls {
  const entries = (env.ASKBACK_APP_URLS ?? '').split(',').map((entry) => entry.trim())
  const urls = entries.filter(Boolean).map((entry) => {
    if (!/^https?:\/\//i.test(entry) || !URL.canParse(entry)) {
      throw new Error(
        `ASKBACK_APP_URLS contains "${entry}", which is not an address like https://app.example.com.`,
      )
    }
    return new URL(entry)
  })
  return {
    origins: new Set(urls.map(({ origin }) => origin)),
    base: urls[0] && withoutTrailingSlash(`${urls[0].origin}${urls[0].pathname}`),
  }
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
