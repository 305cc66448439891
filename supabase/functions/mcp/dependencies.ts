import { readProjectRules, underRules } from '../../../shared/server/authentication/project-rules.ts'
import {
  type Environment,
  readProjectSettings,
  readProjectUrl,
} from '../../../shared/server/authentication/project-settings.ts'
import type { VerifyUserToken } from '../../../shared/server/authentication/user-token.ts'
import { type CallRpc, createRpc } from '../../../shared/server/database/call-rpc.ts'
import { readFunctionPath } from '../../../shared/server/functions/function-names.ts'
import { type AppUrls, readAppUrls } from '../../../shared/server/links/app-urls.ts'
import { createSignedTexts, type SignedTexts } from './protocol/signed-text.ts'

/** The external dependencies of the function. */
export interface McpDependencies {
  /** Also for tokens of other apps, which Supabase's OAuth server has issued. */
  verify: VerifyUserToken
  rpc: CallRpc
  signed: SignedTexts
  /** Under which clients know the project, and the function. */
  projectUrl: string
  mcpUrl: string
  /** URLs that the project answers to. */
  urls: readonly string[]
  appUrls: AppUrls
  /** URL of a function of this project, or of one of its routes. */
  functionUrl: (route: string) => string
  functionSecret: string | undefined
  fetch: typeof fetch
  /** Milliseconds after which a stream has its result. Clients wait for 60 s. */
  streamMs: number
}

/** Builds the dependencies from environment variables; throws if Supabase's own are missing. */
export function readDependencies(env: Environment): McpDependencies {
  const { url, serviceKey, verify, functionSecret } = readProjectSettings(env, { otherApps: true })
  const pathOf = readFunctionPath(env)
  const projectUrl = readProjectUrl(env)
  return {
    verify,
    rpc: underRules(createRpc({ url, serviceKey }), readProjectRules(env)),
    signed: createSignedTexts(serviceKey),
    projectUrl,
    mcpUrl: `${projectUrl}${pathOf('mcp')}`,
    functionUrl: (route) => `${url}${pathOf(route)}`,
    functionSecret,
    fetch,
    urls: [projectUrl, url],
    appUrls: readAppUrls(env),
    streamMs: 50_000,
  }
}
