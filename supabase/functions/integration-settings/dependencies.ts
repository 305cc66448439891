import { type Clock, systemClock } from '../../../shared/engine/core/clock.ts'
import { readProjectRules, underRules } from '../../../shared/server/authentication/project-rules.ts'
import {
  type Environment,
  readProjectSettings,
  readProjectUrl,
} from '../../../shared/server/authentication/project-settings.ts'
import type { VerifyUserToken } from '../../../shared/server/authentication/user-token.ts'
import { type Keyring, KeyringError, readKeyring } from '../../../shared/server/credentials/keyring.ts'
import { type CallRpc, createRpc } from '../../../shared/server/database/call-rpc.ts'
import { createFileStore, type FileStore } from '../../../shared/server/files/file-store.ts'
import { createBucket } from '../../../shared/server/files/storage-bucket.ts'
import {
  type CatalogueRow,
  readFunctionPath,
  readInstalled,
} from '../../../shared/server/functions/function-names.ts'
import { ApiError } from '../../../shared/server/http/api-error.ts'
import { type AppUrls, readAppUrls } from '../../../shared/server/links/app-urls.ts'
import { writeLog } from '../../../shared/server/log/log-line.ts'
import { type OAuthServers, readOAuthServers } from '../../../shared/server/oauth/oauth-server.ts'

/** The external dependencies of the settings. */
export interface SettingsDependencies {
  verify: VerifyUserToken
  /** `ASKBACK_REQUIRE_AAL2`. */
  requireAal2?: boolean
  rpc: CallRpc
  /** Throws ApiError 503 if the operator has set no usable key. */
  openKeyring: () => Promise<Keyring>
  oauthServers: OAuthServers
  /** The URL to which providers send people back. */
  redirectUri: string
  appUrls: AppUrls
  /** Signs tickets for `mcp-client`; undefined: nothing is asked of servers of MCP. */
  functionSecret: string | undefined
  /** URL of a function of this project, or of one of its routes: `chat/open`. */
  functionUrl: (route: string) => string
  /** Whether the function of a tool or provider is in this project. */
  isInstalled: (row: CatalogueRow) => boolean
  /** Settings of the models. */
  env: Environment
  files: Pick<FileStore, 'removeUser'>
  fetch: typeof fetch
  clock: Pick<Clock, 'sleep'>
  /** Keeps the process until this is over (`EdgeRuntime.waitUntil` on Supabase). */
  keepAlive: (work: Promise<unknown>) => void
}

/** Builds the dependencies from environment variables; throws an Error that names what is missing or wrong. */
export function readDependencies(
  env: Environment,
  keepAlive: SettingsDependencies['keepAlive'],
): SettingsDependencies {
  const { url, serviceKey, verify, functionSecret } = readProjectSettings(env)
  const publicUrl = readProjectUrl(env)
  const rules = readProjectRules(env)
  const rpc = underRules(createRpc({ url, serviceKey }), rules)
  const pathOf = readFunctionPath(env)
  return {
    verify,
    requireAal2: rules.requireAal2,
    rpc,
    openKeyring: createKeyringReader(env.ASKBACK_CREDENTIALS_KEYS),
    oauthServers: readOAuthServers(env),
    redirectUri: `${publicUrl}${pathOf('integration-settings/oauth/callback')}`,
    appUrls: readAppUrls(env),
    functionSecret,
    functionUrl: (route) => `${url}${pathOf(route)}`,
    isInstalled: readInstalled(env),
    env,
    files: createFileStore(rpc, createBucket({ url, serviceKey })),
    fetch,
    clock: systemClock,
    keepAlive,
  }
}

function createKeyringReader(setting: string | undefined): () => Promise<Keyring> {
  let keyring: Promise<Keyring> | undefined
  return () => {
    keyring ??= readKeyring(setting).catch((cause) => {
      if (!(cause instanceof KeyringError)) throw cause
      writeLog('credentials-key-missing', { setting: 'ASKBACK_CREDENTIALS_KEYS' }, cause)
      throw new ApiError('not_configured', { why: 'credentials_key' }, { cause })
    })
    return keyring
  }
}
